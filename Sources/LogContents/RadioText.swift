import EncounterLog

extension RadioEvent {
    /// The event as text for people. Here and below, values of a later version are shown by number.
    public var text: String {
        switch self {
        case .rungTaken: "recovery step"
        case .recovered: "good reports again"
        case .assumedEmpty: "assumed an empty room"
        case .gaveUp: "gave up"
        default: "event \(rawValue) of a later version"
        }
    }
}

extension RadioFaultKind {
    /// The fault's name for programs, as in the documentation.
    public var name: String {
        switch self {
        case .bringUpRefused: "bringUpRefused"
        case .commandTimeout: "commandTimeout"
        case .hardwareError: "hardwareError"
        case .stuckConnecting: "stuckConnecting"
        case .stuckLink: "stuckLink"
        case .transport: "transport"
        case .silence: "silence"
        case .emptyReports: "emptyReports"
        case .wrongScanMode: "wrongScanMode"
        case .refusedRole: "refusedRole"
        case .garbledStream: "garbledStream"
        case .restarted: "restarted"
        case .scanStopped: "scanStopped"
        default: "fault\(rawValue)"
        }
    }

    /// The fault as text for people.
    public var text: String { words.map { "\($0)" } ?? "fault \(rawValue) of a later version" }

    /// The detail with its meaning, such as "command 0x200c"; nil if there is none.
    public func text(detail: UInt32) -> String? {
        guard detail != 0 else { return nil }
        let digits = String(detail, radix: 16)
        let hexadecimal = "0x" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        switch self {
        case .commandTimeout, .bringUpRefused, .refusedRole: return "command \(hexadecimal)"
        case .hardwareError: return "code \(detail)"
        case .transport: return "error \(detail)"
        default: return "detail \(detail)"
        }
    }
}

extension RecoveryRung {
    /// The rung's name for programs, as in the documentation.
    public var name: String {
        switch self {
        case .none: "none"
        case .restartScan: "restartScan"
        case .restartRoles: "restartRoles"
        case .reset: "reset"
        case .reopen: "reopen"
        case .powerCycle: "powerCycle"
        case .giveUp: "giveUp"
        default: "rung\(rawValue)"
        }
    }

    public var text: String {
        switch self {
        case .none: "no recovery step"
        case .restartScan: "scan restarted"
        case .restartRoles: "scanning and advertising restarted"
        case .reset: "controller reset"
        case .reopen: "transport reopened"
        case .powerCycle: "controller power-cycled"
        case .giveUp: "gave up"
        default: "recovery step \(rawValue) of a later version"
        }
    }

    /// Counts the rungs, mildest first, each kind once: "scan restarted, 3 × controller reset".
    public static func text(_ rungs: some Sequence<RecoveryRung>) -> String {
        let counts = Dictionary(rungs.map { ($0.rawValue, 1) }, uniquingKeysWith: +)
        return text(counts.sorted { $0.key < $1.key }.map { (RecoveryRung(rawValue: $0.key), $0.value) })
    }

    /// The same text for counts per rung; rungs that were never taken are left out.
    public static func text(_ counts: [(rung: RecoveryRung, count: Int)]) -> String {
        counts.filter { $0.count > 0 }
            .map { ($0.count == 1 ? "" : "\($0.count) × ") + $0.rung.text }
            .joined(separator: ", ")
    }
}
