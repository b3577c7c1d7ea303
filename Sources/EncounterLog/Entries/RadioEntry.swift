import FixedMemory

/// A radio fault or recovery, or what the agent did about a fault.
public struct RadioEntry: Equatable, BitwiseCopyable, Sendable {
    public var instant: Instant
    public var event: RadioEvent
    public var fault: RadioFaultKind
    public var rung: RecoveryRung
    /// Detail of the fault: an HCI command's opcode, a hardware error's code or an error
    /// number; otherwise 0.
    public var detail: UInt32

    public init(
        instant: Instant, event: RadioEvent, fault: RadioFaultKind, rung: RecoveryRung, detail: UInt32
    ) {
        self.instant = instant
        self.event = event
        self.fault = fault
        self.rung = rung
        self.detail = detail
    }
}

/// The kind of event. Values without a name here are read unchanged.
public struct RadioEvent: RawRepresentable, Equatable, BitwiseCopyable, Sendable {
    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The agent took a rung of the recovery ladder because of the fault.
    public static let rungTaken = RadioEvent(rawValue: 1)
    /// Good reports arrive again. The rung is the highest that was taken.
    public static let recovered = RadioEvent(rawValue: 2)
    /// The controller does everything asked of it and receives nothing: the agent assumes an empty room.
    public static let assumedEmpty = RadioEvent(rawValue: 3)
    /// The recovery ladder did not help for too long; the agent exits.
    public static let gaveUp = RadioEvent(rawValue: 4)
}

/// The kind of radio fault. Values without a name here are read unchanged.
public struct RadioFaultKind: RawRepresentable, Equatable, BitwiseCopyable, Sendable {
    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let bringUpRefused = RadioFaultKind(rawValue: 1)
    public static let commandTimeout = RadioFaultKind(rawValue: 2)
    public static let hardwareError = RadioFaultKind(rawValue: 3)
    /// A cancelled connection attempt never ended.
    public static let stuckConnecting = RadioFaultKind(rawValue: 4)
    /// A disconnected link never ended.
    public static let stuckLink = RadioFaultKind(rawValue: 5)
    /// The transport closed or failed.
    public static let transport = RadioFaultKind(rawValue: 6)
    /// Peers were received steadily, and suddenly none. Version 0.1 took this for a fault.
    public static let silence = RadioFaultKind(rawValue: 7)
    /// Reports arrive without content.
    public static let emptyReports = RadioFaultKind(rawValue: 8)
    /// Reports do not match a passive scan without a duplicate filter.
    public static let wrongScanMode = RadioFaultKind(rawValue: 9)
    /// The controller repeatedly refuses to scan or advertise.
    public static let refusedRole = RadioFaultKind(rawValue: 10)
    /// Too much of the controller's stream cannot be parsed.
    public static let garbledStream = RadioFaultKind(rawValue: 11)
    /// The controller started anew by itself.
    public static let restarted = RadioFaultKind(rawValue: 12)
    /// The controller stopped each scan by itself.
    public static let scanStopped = RadioFaultKind(rawValue: 13)
}

/// The steps of the recovery ladder, mildest first. Values without a name here are read unchanged.
public struct RecoveryRung: RawRepresentable, Equatable, BitwiseCopyable, Sendable {
    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let none = RecoveryRung(rawValue: 0)
    public static let restartScan = RecoveryRung(rawValue: 1)
    public static let restartRoles = RecoveryRung(rawValue: 2)
    public static let reset = RecoveryRung(rawValue: 3)
    public static let reopen = RecoveryRung(rawValue: 4)
    public static let powerCycle = RecoveryRung(rawValue: 5)
    public static let giveUp = RecoveryRung(rawValue: 6)
}

extension RadioEntry: EntryBody {
    func encode<Sink: ByteSink & ~Copyable>(into sink: inout Sink) throws(CapacityError) {
        try sink.append(leb128: instant)
        try sink.append(event.rawValue)
        try sink.append(fault.rawValue)
        try sink.append(rung.rawValue)
        try sink.append(leb128: detail)
    }

    init(from fields: inout FieldReader) throws(MalformedField) {
        instant = try fields.readInstant()
        event = RadioEvent(rawValue: try fields.readUInt8())
        fault = RadioFaultKind(rawValue: try fields.readUInt8())
        rung = RecoveryRung(rawValue: try fields.readUInt8())
        detail = try fields.readLEB128UInt32()
    }
}

extension RadioFaultKind {
    /// The fault as words for people, which the board and its operator's computer share; nil for a fault of a
    /// later version.
    public var words: StaticString? {
        switch self {
        case .bringUpRefused: "the controller refused its setup"
        case .commandTimeout: "the controller did not answer a command"
        case .hardwareError: "the controller reported a hardware error"
        case .stuckConnecting: "a connection attempt did not end"
        case .stuckLink: "a closed link did not end"
        case .transport: "the transport closed or failed"
        case .silence: "all devices fell silent together"
        case .emptyReports: "reports had no content"
        case .wrongScanMode: "the controller scanned in the wrong mode"
        case .refusedRole: "the controller refused to scan or advertise"
        case .garbledStream: "the stream from the controller was garbled"
        case .restarted: "the controller started anew by itself"
        case .scanStopped: "the controller stopped scanning by itself"
        default: nil
        }
    }
}
