import FixedMemory

/// A position in a board's log: a segment's ordinal and a byte offset in it. 8 bytes, both numbers
/// little-endian.
public struct SyncPosition: BitwiseCopyable, Comparable, Sendable {
    public var segmentOrdinal: UInt32
    public var byteOffset: UInt32

    /// The default is the position before all data.
    public init(segmentOrdinal: UInt32 = 0, byteOffset: UInt32 = 0) {
        self.segmentOrdinal = segmentOrdinal
        self.byteOffset = byteOffset
    }

    public static func < (left: Self, right: Self) -> Bool {
        left.segmentOrdinal == right.segmentOrdinal
            ? left.byteOffset < right.byteOffset : left.segmentOrdinal < right.segmentOrdinal
    }

    init(_ reader: inout ByteReader) throws(EndOfBytes) {
        segmentOrdinal = try reader.readUInt32()
        byteOffset = try reader.readUInt32()
    }

    func encode(into sink: inout some ByteSink & ~Copyable) throws(CapacityError) {
        try sink.append(littleEndian: segmentOrdinal)
        try sink.append(littleEndian: byteOffset)
    }
}
