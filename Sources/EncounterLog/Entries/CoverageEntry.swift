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
    /// Encounters that ended without an entry, because their peers gave no identity and the allowance for
    /// such encounters was used up.
    public var unlogged: UInt32
    /// When the controller listened while it scanned: at least for this share of the time, apart from the
    /// short pauses that an interval may have. Nil if unknown: in logs of versions before 0.2, and for
    /// captures.
    public var timing: ScanTiming?

    public init(
        start: Instant, end: Instant, reports: UInt32, malformed: UInt32, dropped: UInt32, evicted: UInt32,
        unlogged: UInt32 = 0, timing: ScanTiming? = nil
    ) {
        self.start = start
        self.end = end
        self.reports = reports
        self.malformed = malformed
        self.dropped = dropped
        self.evicted = evicted
        self.unlogged = unlogged
        self.timing = timing
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
        // Fields that a version before did not have are left out without their values, as that version did.
        guard unlogged > 0 || timing != nil else { return }
        try sink.append(leb128: unlogged)
        guard let timing else { return }
        try sink.append(leb128: UInt32(timing.intervalSlots))
        try sink.append(leb128: UInt32(timing.windowSlots))
    }

    init(from fields: inout FieldReader) throws(MalformedField) {
        start = try fields.readInstant()
        end = start &+ (try fields.readInterval())
        reports = try fields.readLEB128UInt32()
        malformed = try fields.readLEB128UInt32()
        dropped = try fields.readLEB128UInt32()
        evicted = try fields.readLEB128UInt32()
        unlogged = fields.isAtEnd ? 0 : try fields.readLEB128UInt32()
        guard !fields.isAtEnd else { return }
        timing = ScanTiming(
            intervalSlots: try fields.readLEB128UInt16(), windowSlots: try fields.readLEB128UInt16())
    }
}
