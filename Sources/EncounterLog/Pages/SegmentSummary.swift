import FixedMemory

/// A summary of a segment, as stated in the next segment's header. With it a board that cannot read its own
/// sealed pages can report what an overwriting lost.
public struct SegmentSummary: Equatable, BitwiseCopyable, Sendable {
    /// A moment of one start of the agent.
    public struct Moment: Equatable, BitwiseCopyable, Sendable {
        public var bootIdentifier: UInt64
        public var instant: Instant

        public init(bootIdentifier: UInt64, instant: Instant) {
            self.bootIdentifier = bootIdentifier
            self.instant = instant
        }
    }

    public var entryCount: UInt32
    /// Whether the agent restarted while writing the segment: then it has more and earlier entries than
    /// counted.
    public var isAtLeast: Bool
    public var first: Moment
    public var last: Moment

    public init(entryCount: UInt32, isAtLeast: Bool, first: Moment, last: Moment) {
        self.entryCount = entryCount
        self.isAtLeast = isAtLeast
        self.first = first
        self.last = last
    }

    static let byteCount = 37

    /// Appends 37 bytes: 1 what is known (0 nothing, 1 everything, 3 a lower bound), 4 entries, first and
    /// last moment (each 8 boot, 8 milliseconds).
    static func encode<Sink: ByteSink & ~Copyable>(
        _ summary: SegmentSummary?, into sink: inout Sink
    ) throws(CapacityError) {
        guard let summary else { return try sink.append(Bytes<37>()) }
        try sink.append((summary.isAtLeast ? 3 : 1) as UInt8)
        try sink.append(littleEndian: summary.entryCount)
        try encode(summary.first, into: &sink)
        try encode(summary.last, into: &sink)
    }

    static func read(_ reader: inout ByteReader) throws(EndOfBytes) -> SegmentSummary? {
        let known = try reader.readUInt8()
        let summary = SegmentSummary(
            entryCount: try reader.readUInt32(), isAtLeast: known & 2 != 0, first: try readMoment(&reader),
            last: try readMoment(&reader))
        return known & 1 != 0 ? summary : nil
    }

    private static func encode<Sink: ByteSink & ~Copyable>(
        _ moment: Moment, into sink: inout Sink
    ) throws(CapacityError) {
        try sink.append(littleEndian: moment.bootIdentifier)
        try sink.append(littleEndian: moment.instant.milliseconds)
    }

    private static func readMoment(_ reader: inout ByteReader) throws(EndOfBytes) -> Moment {
        Moment(
            bootIdentifier: try reader.readUInt64(), instant: Instant(milliseconds: try reader.readUInt64()))
    }
}
