import FixedMemory

/// A range of segments that the board erased: to make room before a host acknowledged them, by command, or
/// for their age. The board cannot read its own sealed pages. It knows their contents from the header
/// of the next segment.
public struct GapEntry: Equatable, BitwiseCopyable, Sendable {
    public var instant = Instant.start
    public var cause: GapCause
    /// Whether a host had acknowledged all of it.
    public var isAcknowledged: Bool
    public var firstSegmentOrdinal: UInt32
    public var segmentCount: UInt32 = 1
    /// Committed bytes.
    public var byteCount: UInt64
    /// How much is known of the entries: 0 nothing, 1 everything, 3 a lower bound.
    public var knowledge: UInt8 = 0
    public var entryCount: UInt32 = 0
    public var first = SegmentSummary.Moment(bootIdentifier: 0, instant: .start)
    public var last = SegmentSummary.Moment(bootIdentifier: 0, instant: .start)

    /// Creates the range of one segment of which nothing else is known.
    public init(cause: GapCause, isAcknowledged: Bool, segmentOrdinal: UInt32, byteCount: UInt64) {
        self.cause = cause
        self.isAcknowledged = isAcknowledged
        firstSegmentOrdinal = segmentOrdinal
        self.byteCount = byteCount
    }

    /// Merges a range that is later in the log.
    mutating func append(_ next: GapEntry) {
        cause = next.cause
        isAcknowledged = isAcknowledged && next.isAcknowledged
        segmentCount &+= next.segmentCount
        byteCount &+= next.byteCount
        entryCount &+= next.entryCount
        if knowledge == 0 { first = next.first }
        if next.knowledge != 0 { last = next.last }
        // If nothing is known of one of the two, the sum is a lower bound.
        let isLess = knowledge & next.knowledge == 0
        knowledge |= next.knowledge
        if isLess, knowledge != 0 { knowledge = 3 }
    }
}

/// Why segments were erased. Values without a name here are read unchanged.
public struct GapCause: RawRepresentable, Equatable, BitwiseCopyable, Sendable {
    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The ring needed the slot.
    public static let room = GapCause(rawValue: 1)
    /// A command asked for it.
    public static let command = GapCause(rawValue: 2)
    /// They were older than the configuration allows.
    public static let retention = GapCause(rawValue: 3)
}

extension GapEntry: EntryBody {
    private static let acknowledgedFlag: UInt8 = 1

    func encode<Sink: ByteSink & ~Copyable>(into sink: inout Sink) throws(CapacityError) {
        try sink.append(leb128: instant)
        try sink.append(cause.rawValue)
        try sink.append(isAcknowledged ? Self.acknowledgedFlag : 0)
        try sink.append(leb128: firstSegmentOrdinal)
        try sink.append(leb128: segmentCount)
        try sink.append(leb128: byteCount)
        try sink.append(knowledge)
        try sink.append(leb128: entryCount)
        try sink.append(littleEndian: first.bootIdentifier)
        try sink.append(leb128: first.instant)
        try sink.append(littleEndian: last.bootIdentifier)
        try sink.append(leb128: last.instant)
    }

    init(from fields: inout FieldReader) throws(MalformedField) {
        instant = try fields.readInstant()
        cause = GapCause(rawValue: try fields.readUInt8())
        isAcknowledged = try fields.readUInt8() & Self.acknowledgedFlag != 0
        firstSegmentOrdinal = try fields.readLEB128UInt32()
        segmentCount = try fields.readLEB128UInt32()
        byteCount = try fields.readLEB128UInt64()
        knowledge = try fields.readUInt8()
        entryCount = try fields.readLEB128UInt32()
        first.bootIdentifier = try fields.readUInt64()
        first.instant = try fields.readInstant()
        last.bootIdentifier = try fields.readUInt64()
        last.instant = try fields.readInstant()
    }
}
