import FixedMemory

/// An interval during which the agent scanned, with counts of what it could not use or keep. Where no
/// coverage is recorded, silence proves nothing.
public struct CoverageEntry: Equatable, BitwiseCopyable, Sendable {
    /// Monotonic times.
    public var start: Instant
    public var end: Instant
    /// Advertising reports received.
    public var reports: UInt32
    /// Reports that could not be parsed.
    public var malformed: UInt32
    /// Entries dropped for lack of memory before the log accepted them.
    public var dropped: UInt32
    /// Peers evicted from a full table.
    public var evicted: UInt32

    public init(
        start: Instant, end: Instant, reports: UInt32, malformed: UInt32, dropped: UInt32, evicted: UInt32
    ) {
        self.start = start
        self.end = end
        self.reports = reports
        self.malformed = malformed
        self.dropped = dropped
        self.evicted = evicted
    }
}

extension CoverageEntry: EntryBody {
    func encode<Sink: ByteSink & ~Copyable>(into sink: inout Sink) throws(CapacityError) {
        try sink.append(leb128: start)
        try sink.append(leb128: end &- start)
        try sink.append(leb128: reports)
        try sink.append(leb128: malformed)
        try sink.append(leb128: dropped)
        try sink.append(leb128: evicted)
    }

    init(from fields: inout FieldReader) throws(MalformedField) {
        start = try fields.readInstant()
        end = start &+ (try fields.readInterval())
        reports = try fields.readLEB128UInt32()
        malformed = try fields.readLEB128UInt32()
        dropped = try fields.readLEB128UInt32()
        evicted = try fields.readLEB128UInt32()
    }
}
