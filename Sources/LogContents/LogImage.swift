import EncounterLog
import FixedMemory

/// An image of a medium or a log: segments one after the other in one file, or each in its own file.
public struct LogImage: Sendable {
    public let geometry: FlashGeometry
    public let logIdentity: Bytes<16>
    public let slots: [Slot]
    /// The places in which a file ends within a block: the rest of the file was cut off.
    public let cuts: [Cut]

    /// The end of a file within a block.
    public struct Cut: Equatable, Sendable {
        /// An index into the files that the image consists of.
        public let file: Int
        /// The number of bytes that the file has.
        public let byteCount: Int

        public init(file: Int, byteCount: Int) {
            self.file = file
            self.byteCount = byteCount
        }
    }

    /// One slot of the image, as long as a segment; the last slot may be shorter. A block that the file has
    /// in part ends with erased bytes.
    public struct Slot: Sendable {
        public let bytes: [UInt8]
        /// The ordinal of the segment in this slot; nil if no segment header can be read.
        public let ordinal: UInt32?
        let geometry: FlashGeometry

        /// True if the slot was never written: it is erased, or still holds the zeros of a new file.
        public var isBlank: Bool { bytes.allSatisfy { $0 == 0xff } || bytes.allSatisfy { $0 == 0 } }

        /// The bytes up to the block of the last page. Later blocks were never written, or are stale: they
        /// have pages of the previous round of the ring.
        public var writtenBytes: [UInt8] {
            let last = contents().pages.last { $0.damage != .blankPage }
            let blocks = last.map { $0.byteOffset / geometry.blockByteCount + 1 } ?? 0
            return Array(bytes.prefix(blocks * geometry.blockByteCount))
        }

        public func contents(keys: [OwnerKey] = []) -> SegmentContents {
            SegmentContents(
                bytes, ordinal: ordinal ?? 0, unitByteCount: geometry.unitByteCount,
                blockByteCount: geometry.blockByteCount, keys: keys)
        }
    }

    /// Nil if no segment header can be read, because the header contains the segment size.
    public init?(_ files: [[UInt8]]) {
        let segmentHeaders = files.lazy.compactMap(Self.firstHeader)
        guard let segmentHeader = segmentHeaders.first else { return nil }
        let geometry = segmentHeader.geometry
        self.geometry = geometry
        logIdentity = segmentHeader.logIdentity
        let blockByteCount = max(geometry.blockByteCount, 1)
        cuts = files.indices.compactMap { index in
            let byteCount = files[index].count
            return byteCount % blockByteCount == 0 ? nil : Cut(file: index, byteCount: byteCount)
        }
        slots = files.flatMap { bytes in
            stride(from: 0, to: bytes.count, by: geometry.segmentByteCount).map { start in
                var segment = Array(bytes[start..<min(start + geometry.segmentByteCount, bytes.count)])
                let excess = segment.count % blockByteCount
                if excess > 0 {
                    segment += [UInt8](repeating: 0xff, count: blockByteCount - excess)
                }
                let blocks = stride(from: 0, to: segment.count, by: max(geometry.blockByteCount, 256))
                // An older segment's stale blocks may follow the segment's own pages.
                let ordinal = blocks.compactMap { start in
                    SegmentHeader(pageStart: segment.span.extracting(start..<segment.count))?.segmentOrdinal
                }.max()
                return Slot(bytes: segment, ordinal: ordinal, geometry: geometry)
            }
        }
    }

    /// True if the bytes contain a readable segment header.
    public static func isLog(_ bytes: [UInt8]) -> Bool { firstHeader(in: bytes) != nil }

    private static func firstHeader(in bytes: [UInt8]) -> SegmentHeader? {
        for start in stride(from: 0, to: bytes.count, by: 256) {
            if let segmentHeader = SegmentHeader(pageStart: bytes.span.extracting(start..<bytes.count)) {
                return segmentHeader
            }
        }
        return nil
    }
}
