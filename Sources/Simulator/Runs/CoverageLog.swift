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

    /// Milliseconds between two monotonic times that no entry covers.
    func blindMilliseconds(from start: UInt64, to end: UInt64) -> UInt64 {
        var blind: UInt64 = 0
        var position = start
        for entry in entries where entry.endMilliseconds > start && entry.startMilliseconds < end {
            if entry.startMilliseconds > position { blind += entry.startMilliseconds - position }
            position = max(position, min(entry.endMilliseconds, end))
        }
        return blind + (end > position ? end - position : 0)
    }
}
