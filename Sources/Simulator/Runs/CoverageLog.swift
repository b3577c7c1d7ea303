import EncounterLog

/// The coverage entries that a board has committed.
struct CoverageLog {
    private(set) var entries: [CoverageEntry] = []

    /// Of the boot that ran last.
    init(of board: SimulatedBoard) {
        let medium = board.medium
        let pages = (0..<medium.geometry.pageCount).compactMap {
            CommittedPage(number: $0, bytes: Array(medium.bytes[medium.range(ofPage: $0)]))
        }
        for page in pages.sorted(by: { $0.header.sequenceNumber < $1.header.sequenceNumber })
        where page.header.bootIdentifier == board.bootIdentifier {
            for case .coverage(let entry) in page.entries { entries.append(entry) }
        }
    }

    /// What they cover.
    var stretches: Stretches {
        Stretches(
            entries.filter { $0.startMilliseconds < $0.endMilliseconds }.map {
                $0.startMilliseconds..<$0.endMilliseconds
            })
    }
}
