import EncounterLog

/// Checks that pages are written whole and in ascending order, in the block that their number gives, and
/// never over another page.
final class PagesInSequence: Check {
    private var last: UInt64?
    /// The pages of the newest segment, by block on the medium.
    private var newestBlocks: [Int] = []
    private var newestOrdinal: UInt32?
    /// The last page of the segments before that one.
    private var lastBefore: UInt64?

    /// A segment of which no segment header can be read looks as if a power cut had torn its first page, so
    /// the log begins that segment again (docs/powercut.md, "Damage").
    override func agentStarted() {
        let medium = board.medium
        let isUnreadable = newestBlocks.allSatisfy { block in
            medium.flippedBlocks.contains(block)
                && SegmentHeader(pageStart: medium.bytes[medium.range(ofBlock: block)].span) == nil
        }
        if isUnreadable { last = lastBefore }
    }

    override func committed(_ page: CommittedPage) {
        let geometry = board.medium.geometry
        if let last, page.sequenceNumber <= last {
            broken("page \(page.sequenceNumber) after page \(last)")
        }
        if page.segmentOrdinal != newestOrdinal {
            newestOrdinal = page.segmentOrdinal
            newestBlocks = []
            lastBefore = last
        }
        newestBlocks.append(page.number)
        last = page.sequenceNumber
        let slot = Int(page.segmentOrdinal) % geometry.segmentCount
        if page.number != slot * geometry.blocksPerSegment + page.blockIndex {
            broken("page \(page.sequenceNumber) stands at \(page.number)")
        }
        if page.bootIdentifier != board.bootIdentifier, page.bootIdentifier != 0, !page.entries.isEmpty {
            broken("page \(page.sequenceNumber) is of another boot")
        }
    }
}
