/// Checks that pages are written whole and in ascending order, in the block that their number gives, and
/// never over another page.
final class PagesInSequence: Check {
    private var last: UInt64?

    override func committed(_ page: CommittedPage) {
        let geometry = board.medium.geometry
        if let last, page.sequenceNumber <= last {
            broken("page \(page.sequenceNumber) after page \(last)")
        }
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
