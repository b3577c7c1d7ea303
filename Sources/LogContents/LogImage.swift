import EncounterLog
import FixedMemory

/// The bytes of a medium, or of a log: one segment behind the other, or each in a file of its own.
public struct LogImage: Sendable {
    public let geometry: FlashGeometry
    public let logIdentity: Bytes<16>
    public let slots: [Slot]

    /// As many bytes as a segment takes; the last may be cut short.
    public struct Slot: Sendable {
        public let bytes: [UInt8]
        /// Of the segment that stands here; nil when no opening can be read.
        public let ordinal: UInt32?
        let geometry: FlashGeometry

        /// Segments that were never begun still hold the zeros that the file was made of.
        public var isBlank: Bool { bytes.allSatisfy { $0 == 0xff } || bytes.allSatisfy { $0 == 0 } }

        /// Without the blocks behind the last page, which were never written, or still have what stood there a round of the
        /// ring before.
        public var writtenBytes: [UInt8] {
            let last = contents().pages.last { $0.damage != .blankPage }
            let blocks = last.map { $0.byteOffset / geometry.blockByteCount + 1 } ?? 0
            return Array(bytes.prefix(blocks * geometry.blockByteCount))
        }

        public func contents(keys: [OpeningKey] = []) -> SegmentContents {
            SegmentContents(
                bytes, ordinal: ordinal ?? 0, unitByteCount: geometry.unitByteCount,
                blockByteCount: geometry.blockByteCount, keys: keys)
        }
    }

    /// Nil when no opening can be read, which says of which size segments are.
    public init?(_ files: [[UInt8]]) {
        let openings = files.lazy.compactMap(Self.firstOpening)
        guard let opening = openings.first else { return nil }
        let geometry = opening.geometry
        self.geometry = geometry
        logIdentity = opening.logIdentity
        slots = files.flatMap { bytes in
            stride(from: 0, to: bytes.count, by: geometry.segmentByteCount).map { start in
                let segment = Array(bytes[start..<min(start + geometry.segmentByteCount, bytes.count)])
                let blocks = stride(from: 0, to: segment.count, by: max(geometry.blockByteCount, 256))
                // Behind a segment's pages may stand an older one's.
                let ordinal = blocks.compactMap { start in
                    SegmentOpening(pageStart: segment.span.extracting(start..<segment.count))?.segmentOrdinal
                }.max()
                return Slot(bytes: segment, ordinal: ordinal, geometry: geometry)
            }
        }
    }

    /// Whether anything of a log can be read there.
    public static func isLog(_ bytes: [UInt8]) -> Bool { firstOpening(in: bytes) != nil }

    private static func firstOpening(in bytes: [UInt8]) -> SegmentOpening? {
        for start in stride(from: 0, to: bytes.count, by: 256) {
            if let opening = SegmentOpening(pageStart: bytes.span.extracting(start..<bytes.count)) {
                return opening
            }
        }
        return nil
    }
}
