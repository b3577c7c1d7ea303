import EncounterLog

/// A board's log as a host has it: every page that is committed, decoded.
struct BoardLog {
    /// Oldest first.
    let pages: [CommittedPage]

    init(of board: SimulatedBoard) {
        let medium = board.medium
        pages = (0..<medium.geometry.pageCount).compactMap {
            CommittedPage(number: $0, bytes: Array(medium.bytes[medium.range(ofPage: $0)]))
        }.sorted { $0.header.sequenceNumber < $1.header.sequenceNumber }
    }

    /// Of the boot that ran last.
    func pages(of board: SimulatedBoard) -> [CommittedPage] {
        pages.filter { $0.header.bootIdentifier == board.bootIdentifier }
    }
}
