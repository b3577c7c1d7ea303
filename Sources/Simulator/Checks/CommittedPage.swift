import EncounterLog
import FlashSimulator

/// A log page that survives a power cut. In the simulator's media a page occupies a whole block.
struct CommittedPage {
    /// The index of its block on the medium.
    let number: Int
    let segmentOrdinal: UInt32
    /// The index of its block within the segment.
    let blockIndex: Int
    let bootIdentifier: UInt64
    let bytes: [UInt8]
    /// The number of bytes that belong to the page; the rest of `bytes` only fills the block.
    let byteCount: Int
    let entries: [LogEntry]
    /// The page's sequence number over the whole life of the log.
    let sequenceNumber: UInt64

    /// Reads the page in a block. Nil unless the block holds a whole page and
    /// there is a segment header at or before the block.
    init?(number: Int, of board: SimulatedBoard) {
        let medium = board.medium
        self.init(number: number, bytes: Array(medium.bytes[medium.range(ofBlock: number)]), of: board)
    }

    /// Reads a page from bytes that were in a block.
    init?(number: Int, bytes: [UInt8], of board: SimulatedBoard) {
        let medium = board.medium
        let geometry = medium.geometry
        let blockIndex = number % geometry.blocksPerSegment
        let first = number - blockIndex
        guard let ordinal = Self.ordinal(ofSegmentAt: first, on: medium) else { return nil }
        let offset = blockIndex * geometry.blockByteCount
        do throws(LogError) {
            let page = try LogPage(
                bytes.span, at: LogPosition(segmentOrdinal: ordinal, byteOffset: UInt32(offset)))
            guard
                let segmentHeader = page.segmentHeader
                    ?? Self.segmentHeader(of: ordinal, before: number, from: first, on: medium)
            else {
                return nil
            }
            byteCount = page.byteCount
            let written: [LogEntry]
            if page.header.isSealed {
                guard let keys = board.keys else { return nil }
                written = try keys.entries(of: page, bytes: bytes, segmentHeader: segmentHeader)
            } else {
                written = try Self.entries(of: page)
            }
            entries = board.identities[ordinal, default: SegmentIdentities()].read(written)
            bootIdentifier = segmentHeader.bootIdentifier
        } catch {
            return nil
        }
        self.number = number
        segmentOrdinal = ordinal
        self.blockIndex = blockIndex
        self.bytes = bytes
        sequenceNumber = UInt64(ordinal) * UInt64(geometry.blocksPerSegment) + UInt64(blockIndex)
    }

    private static func entries(of page: borrowing LogPage) throws(LogError) -> [LogEntry] {
        var entries: [LogEntry] = []
        var iterator = page.entries
        while let entry = try iterator.next() { entries.append(entry) }
        return entries
    }

    /// The ordinal of the segment in this slot. Overwritten segments leave stale blocks, whose headers may
    /// stand beside the current one; the newest header wins.
    private static func ordinal(ofSegmentAt first: Int, on medium: SimulatedMedium) -> UInt32? {
        var newest: UInt32?
        for block in first..<first + medium.geometry.blocksPerSegment {
            guard let segmentHeader = segmentHeader(in: block, on: medium) else { continue }
            if !medium.isOverwritable { return segmentHeader.segmentOrdinal }
            newest = max(newest ?? 0, segmentHeader.segmentOrdinal)
        }
        return newest
    }

    private static func segmentHeader(
        of ordinal: UInt32, before number: Int, from first: Int, on medium: SimulatedMedium
    ) -> SegmentHeader? {
        for block in (first..<number).reversed() {
            if let segmentHeader = segmentHeader(in: block, on: medium),
                segmentHeader.segmentOrdinal == ordinal
            {
                return segmentHeader
            }
        }
        return nil
    }

    private static func segmentHeader(in block: Int, on medium: SimulatedMedium) -> SegmentHeader? {
        let range = medium.range(ofBlock: block)
        // Most pages have no segment header, and this runs for each page that is written.
        guard medium.bytes[range.lowerBound] == 0xb2, medium.bytes[range.lowerBound + 1] & 2 != 0 else {
            return nil
        }
        let bytes = Array(medium.bytes[range])
        return SegmentHeader(pageStart: bytes.span)
    }
}
