import FixedMemory

/// The agent's start: always the first entry of its boot. Monotonic times of different boots cannot be
/// compared.
public struct BootEntry: Equatable, BitwiseCopyable, Sendable {
    /// Drawn at random at each start of the agent; also in every segment header that it writes.
    public var bootIdentifier: UInt64
    public var monotonicMilliseconds: UInt64
    /// Major, minor, patch.
    public var softwareVersion: Bytes<3>
    /// The length of a sample's time bucket.
    public var sampleMilliseconds: UInt32
    /// Encounter timeout: a peer silent for longer than this begins a new encounter.
    public var gapMilliseconds: UInt32
    /// How much logged time a power cut may cost.
    public var lossWindowMilliseconds: UInt32
    public var role: LogRole

    public init(
        bootIdentifier: UInt64, monotonicMilliseconds: UInt64, softwareVersion: Bytes<3>,
        sampleMilliseconds: UInt32, gapMilliseconds: UInt32, lossWindowMilliseconds: UInt32, role: LogRole
    ) {
        self.bootIdentifier = bootIdentifier
        self.monotonicMilliseconds = monotonicMilliseconds
        self.softwareVersion = softwareVersion
        self.sampleMilliseconds = sampleMilliseconds
        self.gapMilliseconds = gapMilliseconds
        self.lossWindowMilliseconds = lossWindowMilliseconds
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
        try sink.append(leb128: monotonicMilliseconds)
        try sink.append(softwareVersion)
        try sink.append(leb128: sampleMilliseconds)
        try sink.append(leb128: gapMilliseconds)
        try sink.append(leb128: lossWindowMilliseconds)
        try sink.append(role.rawValue)
    }

    init(from fields: inout FieldReader) throws(MalformedField) {
        bootIdentifier = try fields.readUInt64()
        monotonicMilliseconds = try fields.readLEB128UInt64()
        softwareVersion = try fields.readBlock()
        sampleMilliseconds = try fields.readLEB128UInt32()
        gapMilliseconds = try fields.readLEB128UInt32()
        lossWindowMilliseconds = try fields.readLEB128UInt32()
        role = LogRole(rawValue: try fields.readUInt8())
    }
}
