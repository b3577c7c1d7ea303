import EncounterLog

extension RadioEvent {
    /// The event as text for people. Here and below, values of a later version are shown by number.
    public var words: String {
        switch self {
        case .rungTaken: "rung taken"
        case .recovered: "good reports come again"
        case .takenForQuiet: "the room is taken for quiet"
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
        default: "fault\(rawValue)"
        }
    }

    public var words: String {
        switch self {
        case .bringUpRefused: "the controller refused to be set up"
        case .commandTimeout: "no answer to a command"
        case .hardwareError: "the controller reported a hardware error"
        case .stuckConnecting: "a connection attempt never ended"
        case .stuckLink: "a closed link never ended"
        case .transport: "the transport closed or failed"
        case .silence: "nobody was heard all at once"
        case .emptyReports: "reports came without content"
        case .wrongScanMode: "the controller scanned otherwise than asked"
        case .refusedRole: "the controller refused to scan or advertise"
        case .garbledStream: "the stream from the controller made no sense"
        default: "fault \(rawValue) of a later version"
        }
    }

    /// The detail with its meaning, such as "command 0x200c"; nil if there is none.
    public func words(detail: UInt32) -> String? {
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

    public var words: String {
        switch self {
        case .none: "no rung"
        case .restartScan: "scan restarted"
        case .restartRoles: "both roles restarted"
        case .reset: "controller reset"
        case .reopen: "transport opened anew"
        case .powerCycle: "power taken and given"
        case .giveUp: "gave up"
        default: "rung \(rawValue) of a later version"
        }
    }

    /// Counts the rungs, mildest first, each kind once: "scan restarted, 3 × controller reset".
    public static func words(_ rungs: some Sequence<RecoveryRung>) -> String {
        let counts = Dictionary(rungs.map { ($0.rawValue, 1) }, uniquingKeysWith: +)
        return words(counts.sorted { $0.key < $1.key }.map { (RecoveryRung(rawValue: $0.key), $0.value) })
    }

    /// The same text for counts per rung; rungs that were never taken are left out.
    public static func words(_ counts: [(rung: RecoveryRung, count: Int)]) -> String {
        counts.filter { $0.count > 0 }
            .map { ($0.count == 1 ? "" : "\($0.count) × ") + $0.rung.words }
            .joined(separator: ", ")
    }
}
