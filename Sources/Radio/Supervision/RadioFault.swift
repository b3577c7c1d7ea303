import EncounterLog
import HCI

/// What is wrong with the radio. docs/radio-supervisor.md says how each is found and what is done about it.
public enum RadioFault: Equatable, BitwiseCopyable, Sendable {
    // The controller cannot be worked with: nothing milder than a reset helps.
    case bringUp(BringUpError)
    case commandTimeout(OpCode)
    case hardwareError(UInt8)
    case stuckConnecting
    case stuckLink
    case transport(RadioError)

    // The controller answers, and what is heard is not what should be.
    case silence
    case emptyReports
    case wrongScanMode(WrongScanMode)
    case refusedRole(OpCode, Status)
    case garbledStream

    public enum WrongScanMode: UInt8, BitwiseCopyable, Sendable {
        case duplicatesFiltered = 1
        case scanResponses = 2
        case extendedReports = 3
    }
}

/// What the radio has counted since the agent started.
package struct RadioCounters: BitwiseCopyable {
    var links: UInt32 = 0
    var identitiesRead: UInt32 = 0
    /// Times that somebody said a payload that is ours.
    package var duplicateIdentities: UInt32 = 0
    /// Messages of ours about ourselves and others that peers have acknowledged.
    var writesBack: UInt32 = 0
    var commandTimeouts: UInt32 = 0
    package var malformedEvents: UInt32 = 0
    var malformedData: UInt32 = 0
}

extension RadioFault {
    /// Whether the controller cannot be worked with, as opposed to doubts about what is heard.
    public var isHard: Bool {
        switch self {
        case .bringUp, .commandTimeout, .hardwareError, .stuckConnecting, .stuckLink, .transport: true
        case .silence, .emptyReports, .wrongScanMode, .refusedRole, .garbledStream: false
        }
    }

    package var isOverdueAnswer: Bool { if case .commandTimeout = self { true } else { false } }

    /// Whether the readings during this fault are as good as without it. They then still confirm the scan.
    package var sparesReadings: Bool {
        switch self {
        case .wrongScanMode(.scanResponses), .garbledStream: true
        default: false
        }
    }

    /// The mildest rung that may help.
    var firstRung: RecoveryRung {
        switch self {
        case .silence, .emptyReports, .wrongScanMode: .restartScan
        case .refusedRole: .restartRoles
        case .bringUp, .commandTimeout, .hardwareError, .stuckConnecting, .stuckLink, .garbledStream: .reset
        case .transport: .reopen
        }
    }

    // What the log's entry holds of it.

    @inline(never)
    var kind: RadioFaultKind {
        switch self {
        case .bringUp: .bringUpRefused
        case .commandTimeout: .commandTimeout
        case .hardwareError: .hardwareError
        case .stuckConnecting: .stuckConnecting
        case .stuckLink: .stuckLink
        case .transport: .transport
        case .silence: .silence
        case .emptyReports: .emptyReports
        case .wrongScanMode: .wrongScanMode
        case .refusedRole: .refusedRole
        case .garbledStream: .garbledStream
        }
    }

    var detail: UInt32 {
        switch self {
        case .bringUp(.refused(let opCode, _)), .bringUp(.truncatedAnswer(let opCode)),
            .commandTimeout(let opCode), .refusedRole(let opCode, _):
            UInt32(opCode.rawValue)
        case .hardwareError(let code): UInt32(code)
        case .transport(.system(let number)): UInt32(bitPattern: number)
        case .wrongScanMode(let mode): UInt32(mode.rawValue)
        case .transport(.gone), .stuckConnecting, .stuckLink, .silence, .emptyReports, .garbledStream: 0
        }
    }
}
