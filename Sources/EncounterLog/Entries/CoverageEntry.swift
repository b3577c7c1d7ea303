import FixedMemory

/// An interval during which the agent scanned, with counts of what it could not use or keep. Where no
/// coverage is recorded, silence proves nothing.
public struct CoverageEntry: Equatable, BitwiseCopyable, Sendable {
    /// Monotonic times.
    public var startMilliseconds: UInt64
    public var endMilliseconds: UInt64
    /// Advertising reports received.
    public var reports: UInt32
    /// Reports that could not be parsed.
    public var malformed: UInt32
    /// Entries dropped for lack of memory before the log accepted them.
    public var dropped: UInt32
    /// Peers evicted from a full table.
    public var evicted: UInt32

    public init(
        startMilliseconds: UInt64, endMilliseconds: UInt64, reports: UInt32, malformed: UInt32,
        dropped: UInt32,
        evicted: UInt32
    ) {
        self.startMilliseconds = startMilliseconds
        self.endMilliseconds = endMilliseconds
        self.reports = reports
        self.malformed = malformed
        self.dropped = dropped
        self.evicted = evicted
    }
}

extension CoverageEntry: EntryBody {
    func encode<Sink: ByteSink & ~Copyable>(into sink: inout Sink) throws(CapacityError) {
        try sink.append(leb128: startMilliseconds)
        try sink.append(leb128: endMilliseconds &- startMilliseconds)
        try sink.append(leb128: reports)
        try sink.append(leb128: malformed)
        try sink.append(leb128: dropped)
        try sink.append(leb128: evicted)
    }

    init(from fields: inout FieldReader) throws(MalformedField) {
        startMilliseconds = try fields.readLEB128UInt64()
        endMilliseconds = startMilliseconds &+ (try fields.readLEB128UInt64())
        reports = try fields.readLEB128UInt32()
        malformed = try fields.readLEB128UInt32()
        dropped = try fields.readLEB128UInt32()
        evicted = try fields.readLEB128UInt32()
    }
}
