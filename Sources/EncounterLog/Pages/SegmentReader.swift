import FixedMemory

/// Iterates over a segment's pages and over the unreadable parts between them. It accepts any bytes.
///
/// Damage costs only the page that it hit. Behind it the reader tries each unit of the same block, then the
/// next block's start. A block with stale contents from an earlier round of the ring counts as blank.
public struct SegmentReader: ~Escapable {
    /// A page, or a part that cannot be read.
    public struct Place: Equatable, BitwiseCopyable, Sendable {
        /// Counted from the segment's start.
        public let byteOffset: Int
        /// With the padding up to the next place.
        public let byteCount: Int
        /// Why no page can be read here; nil if there is one.
        public let fault: LogError?
        /// The page's epoch.
        public let epoch: UInt8?
        /// The segment header, if this page contains it.
        public let segmentHeader: SegmentHeader?
    }

    /// The number of the medium's segments, from a segment header; 0 if none can be read.
    private let segmentCount: Int
    private let bytes: Span<UInt8>
    private let ordinal: UInt32
    private let unitByteCount: Int
    private let blockByteCount: Int
    private var offset = 0

    /// - Parameter bytes: a segment from its start on, as much of it as there is.
    @_lifetime(copy bytes)
    public init(_ bytes: Span<UInt8>, ordinal: UInt32, unitByteCount: Int, blockByteCount: Int) {
        let blockByteCount = max(blockByteCount, PageHeader.byteCount)
        var segmentCount = 0
        for start in stride(from: 0, to: bytes.count, by: blockByteCount) where segmentCount == 0 {
            let segmentHeader = SegmentHeader(pageStart: bytes.extracting(start..<bytes.count))
            if let segmentHeader, segmentHeader.segmentOrdinal == ordinal {
                segmentCount = segmentHeader.geometry.segmentCount
            }
        }
        self.segmentCount = segmentCount
        self.bytes = bytes
        self.ordinal = ordinal
        self.unitByteCount = max(unitByteCount, 1)
        self.blockByteCount = blockByteCount
    }

    /// The next place; nil after the last.
    public mutating func next() -> Place? {
        while offset < bytes.count {
            let start = offset
            let blockEnd = min((start / blockByteCount + 1) * blockByteCount, bytes.count)
            do throws(LogError) {
                let page = try page(at: start)
                let units = (page.byteCount + unitByteCount - 1) / unitByteCount
                offset = min(start + units * unitByteCount, blockEnd)
                return Place(
                    byteOffset: start, byteCount: offset - start, fault: nil, epoch: page.header.epoch,
                    segmentHeader: page.segmentHeader)
            } catch {
                // The erased rest of a block after its last page is not reported; a wholly unwritten block
                // is.
                let isRest =
                    start % blockByteCount != 0 && bytes.extracting(start..<blockEnd).isErased
                if isRest {
                    offset = blockEnd
                    continue
                }
                let hasNothing = isUnwritten(start, blockEnd)
                offset = hasNothing ? blockEnd : nextPage(after: start, before: blockEnd)
                return Place(
                    byteOffset: start, byteCount: offset - start, fault: hasNothing ? .blankPage : error,
                    epoch: nil, segmentHeader: nil)
            }
        }
        return nil
    }

    /// The page at a place without a fault.
    @_lifetime(copy self)
    public func page(at byteOffset: Int) throws(LogError) -> LogPage {
        guard (0..<bytes.count).contains(byteOffset) else { throw .truncatedPage }
        let blockEnd = min((byteOffset / blockByteCount + 1) * blockByteCount, bytes.count)
        return try LogPage(
            bytes.extracting(byteOffset..<blockEnd),
            at: LogPosition(
                segmentOrdinal: ordinal, byteOffset: UInt32(truncatingIfNeeded: byteOffset)))
    }

    private func nextPage(after start: Int, before blockEnd: Int) -> Int {
        var candidate = start + unitByteCount
        while candidate < blockEnd {
            do throws(LogError) {
                _ = try page(at: candidate)
                return candidate
            } catch {
                candidate += unitByteCount
            }
        }
        return blockEnd
    }

    /// Whether nothing was written to a block of a medium that is overwritten by the block.
    private func isUnwritten(_ start: Int, _ blockEnd: Int) -> Bool {
        guard segmentCount > 0, unitByteCount == blockByteCount, start % blockByteCount == 0 else {
            return false
        }
        let position = LogPosition(segmentOrdinal: ordinal, byteOffset: UInt32(truncatingIfNeeded: start))
        return LogPage.isUnwritten(
            bytes.extracting(start..<blockEnd), at: position, segmentCount: segmentCount)
    }
}
