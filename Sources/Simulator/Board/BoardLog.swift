import EncounterLog

/// A board's log as a host has it: every page that is committed, decoded.
struct BoardLog {
    /// Oldest first.
    let pages: [CommittedPage]

    init(of board: SimulatedBoard) {
        let medium = board.medium
        pages = (0..<medium.geometry.blockCount)
            .compactMap { CommittedPage(number: $0, of: board) }
            .sorted { $0.sequenceNumber < $1.sequenceNumber }
    }

    /// Of the boot that ran last.
    func pages(of board: SimulatedBoard) -> [CommittedPage] {
        pages.filter { $0.bootIdentifier == board.bootIdentifier }
    }
}
