/// The order in which pages are written.
final class PagesInSequence: Check {
    override class var statement: String {
        "Pages are written in ascending order, at the place their number says, whole, and never over another."
    }

    private var last: UInt64?

    override func committed(_ page: CommittedPage) {
        let header = page.header
        let geometry = board.medium.geometry
        if let last, header.sequenceNumber <= last {
            broken("page \(header.sequenceNumber) after page \(last)")
        }
        last = header.sequenceNumber
        let slot = Int(header.segmentOrdinal) % geometry.segmentCount
        if page.number != slot * geometry.pagesPerSegment + header.pageIndex {
            broken("page \(header.sequenceNumber) stands at \(page.number)")
        }
        if header.bootIdentifier != board.bootIdentifier, header.bootIdentifier != 0, !page.entries.isEmpty {
            broken("page \(header.sequenceNumber) is of another boot")
        }
    }
}
