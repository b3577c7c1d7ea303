import EncounterLog

/// A board's log as a host reads it: every committed page, decoded.
struct BoardLog {
    /// The committed pages, oldest first.
    let pages: [CommittedPage]

    init(of board: SimulatedBoard) {
        let medium = board.medium
        pages = (0..<medium.geometry.blockCount)
            .compactMap { CommittedPage(number: $0, of: board) }
            .sorted { $0.sequenceNumber < $1.sequenceNumber }
    }

    /// The pages of the most recent boot.
    func pages(of board: SimulatedBoard) -> [CommittedPage] {
        pages.filter { $0.bootIdentifier == board.bootIdentifier }
    }
}
