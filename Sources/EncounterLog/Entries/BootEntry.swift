import FixedMemory

/// The agent's start: always the first entry of its boot. Monotonic times of different boots cannot be
/// compared.
public struct BootEntry: Equatable, BitwiseCopyable, Sendable {
    /// Drawn at random at each start of the agent; also in every segment header that it writes.
    public var bootIdentifier: UInt64
    public var instant: Instant
    /// Major, minor, patch.
    public var softwareVersion: Bytes<3>
    /// The length of a sample's time bucket.
    public var sampleLength: Interval
    /// Encounter timeout: a peer silent for longer than this begins a new encounter.
    public var encounterTimeout: Interval
    /// How much logged time a power cut may cost.
    public var lossWindow: Interval
    public var role: LogRole

    public init(
        bootIdentifier: UInt64, instant: Instant, softwareVersion: Bytes<3>,
        sampleLength: Interval, encounterTimeout: Interval, lossWindow: Interval, role: LogRole
    ) {
        self.bootIdentifier = bootIdentifier
        self.instant = instant
        self.softwareVersion = softwareVersion
        self.sampleLength = sampleLength
        self.encounterTimeout = encounterTimeout
        self.lossWindow = lossWindow
        self.role = role
    }
}

/// The board's purpose. Values without a name here are read unchanged.
public struct LogRole: RawRepresentable, Equatable, BitwiseCopyable, Sendable {
    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let beacon = LogRole(rawValue: 1)
    public static let wearable = LogRole(rawValue: 2)
}

extension BootEntry: EntryBody {
    func encode<Sink: ByteSink & ~Copyable>(into sink: inout Sink) throws(CapacityError) {
        try sink.append(littleEndian: bootIdentifier)
        try sink.append(leb128: instant)
        try sink.append(softwareVersion)
        try sink.append(leb128: UInt32(truncatingIfNeeded: sampleLength.milliseconds))
        try sink.append(leb128: UInt32(truncatingIfNeeded: encounterTimeout.milliseconds))
        try sink.append(leb128: UInt32(truncatingIfNeeded: lossWindow.milliseconds))
        try sink.append(role.rawValue)
    }

    init(from fields: inout FieldReader) throws(MalformedField) {
        bootIdentifier = try fields.readUInt64()
        instant = try fields.readInstant()
        softwareVersion = try fields.readBlock()
        sampleLength = .milliseconds(UInt64(try fields.readLEB128UInt32()))
        encounterTimeout = .milliseconds(UInt64(try fields.readLEB128UInt32()))
        lossWindow = .milliseconds(UInt64(try fields.readLEB128UInt32()))
        role = LogRole(rawValue: try fields.readUInt8())
    }
}
