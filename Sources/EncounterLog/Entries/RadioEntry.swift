import FixedMemory

/// Something befell the radio, or the agent did something about it.
public struct RadioEntry: Equatable, BitwiseCopyable, Sendable {
    public var monotonicMilliseconds: UInt64
    public var event: RadioEvent
    public var fault: RadioFaultKind
    public var rung: RecoveryRung
    /// What the fault's kind leaves open: an HCI command's opcode, a hardware error's code, an error number; else 0.
    public var detail: UInt32

    public init(
        monotonicMilliseconds: UInt64, event: RadioEvent, fault: RadioFaultKind, rung: RecoveryRung,
        detail: UInt32
    ) {
        self.monotonicMilliseconds = monotonicMilliseconds
        self.event = event
        self.fault = fault
        self.rung = rung
        self.detail = detail
    }
}

/// What happened. Values not named here survive being read.
public struct RadioEvent: RawRepresentable, Equatable, BitwiseCopyable, Sendable {
    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// A rung of the ladder was taken because of the fault.
    public static let rungTaken = RadioEvent(rawValue: 1)
    /// Good reports come again. The rung is the highest that was taken.
    public static let recovered = RadioEvent(rawValue: 2)
    /// The controller does all that is asked and nothing is heard: the room is taken for quiet.
    public static let takenForQuiet = RadioEvent(rawValue: 3)
    /// The ladder was climbed in vain for too long; the agent ends.
    public static let gaveUp = RadioEvent(rawValue: 4)
}

/// What is wrong with a radio. Values not named here survive being read.
public struct RadioFaultKind: RawRepresentable, Equatable, BitwiseCopyable, Sendable {
    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let bringUpRefused = RadioFaultKind(rawValue: 1)
    public static let commandTimeout = RadioFaultKind(rawValue: 2)
    public static let hardwareError = RadioFaultKind(rawValue: 3)
    /// A connection attempt was cancelled and never ended.
    public static let stuckConnecting = RadioFaultKind(rawValue: 4)
    /// A link was closed and never ended.
    public static let stuckLink = RadioFaultKind(rawValue: 5)
    /// The transport has closed, or failed.
    public static let transport = RadioFaultKind(rawValue: 6)
    /// Many were heard, and all at once nobody.
    public static let silence = RadioFaultKind(rawValue: 7)
    /// Reports come without content.
    public static let emptyReports = RadioFaultKind(rawValue: 8)
    /// Reports are not those of a passive scan without duplicate filter.
    public static let wrongScanMode = RadioFaultKind(rawValue: 9)
    /// The controller keeps refusing to scan or advertise.
    public static let refusedRole = RadioFaultKind(rawValue: 10)
    /// Too much of the stream from the controller makes no sense.
    public static let garbledStream = RadioFaultKind(rawValue: 11)
}

/// The steps of the recovery ladder, mildest first. Values not named here survive being read.
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
        try sink.append(leb128: monotonicMilliseconds)
        try sink.append(event.rawValue)
        try sink.append(fault.rawValue)
        try sink.append(rung.rawValue)
        try sink.append(leb128: detail)
    }

    init(from fields: inout FieldReader) throws(MalformedField) {
        monotonicMilliseconds = try fields.readLEB128UInt64()
        event = RadioEvent(rawValue: try fields.readUInt8())
        fault = RadioFaultKind(rawValue: try fields.readUInt8())
        rung = RecoveryRung(rawValue: try fields.readUInt8())
        detail = try fields.readLEB128UInt32()
    }
}
