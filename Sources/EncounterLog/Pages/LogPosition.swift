import FixedMemory

/// A place in the log, valid for the log's whole life.
public struct LogPosition: Comparable, BitwiseCopyable, Sendable {
    public var segmentOrdinal: UInt32
    /// Counted from the segment's start.
    public var byteOffset: UInt32

    public init(segmentOrdinal: UInt32, byteOffset: UInt32) {
        self.segmentOrdinal = segmentOrdinal
        self.byteOffset = byteOffset
    }

    /// The position before everything.
    public static var start: LogPosition { LogPosition(segmentOrdinal: 0, byteOffset: 0) }

    public static func < (left: Self, right: Self) -> Bool {
        left.segmentOrdinal == right.segmentOrdinal
            ? left.byteOffset < right.byteOffset : left.segmentOrdinal < right.segmentOrdinal
    }

    func moved(byBytes byteCount: Int) -> LogPosition {
        LogPosition(
            segmentOrdinal: segmentOrdinal, byteOffset: byteOffset &+ UInt32(truncatingIfNeeded: byteCount))
    }

    /// Appends 8 bytes: both numbers, little-endian.
    func encode<Sink: ByteSink & ~Copyable>(into sink: inout Sink) throws(CapacityError) {
        try sink.append(littleEndian: segmentOrdinal)
        try sink.append(littleEndian: byteOffset)
    }

    init(_ reader: inout ByteReader) throws(EndOfBytes) {
        segmentOrdinal = try reader.readUInt32()
        byteOffset = try reader.readUInt32()
    }
}
