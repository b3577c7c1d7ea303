import Agent
import Radio

/// The levels of the journal, after syslog(3).
public enum NoticeLevel: UInt8, BitwiseCopyable, Sendable {
    case error = 3
    case warning = 4
    case notice = 5
    case information = 6
}

extension AgentNotice {
    public var level: NoticeLevel {
        switch self {
        case .radio(.powerNotRestored), .dayKeysNotStored, .logWriteFailed: .error
        case .radio(.recovery(let fault, _)): fault.isHard ? .warning : .notice
        case .identityStandingChanged(.present), .radio(.up), .momentMarked, .stopped, .updateConfirmed:
            .information
        case .identityStandingChanged, .identityDuplicated, .staleBlocksFound, .foreignPagesFound,
            .batteryLow:
            .warning
        case .radio, .logWriteResumed, .logOwnerKeyChanged: .notice
        }
    }
}
