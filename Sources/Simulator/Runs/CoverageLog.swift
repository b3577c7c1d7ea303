import EncounterLog

/// The coverage entries that a board has committed.
struct CoverageLog {
    private(set) var entries: [CoverageEntry] = []

    /// Reads the entries of the last boot.
    init(of board: SimulatedBoard) {
        for page in BoardLog(of: board).pages(of: board) {
            for case .coverage(let entry) in page.entries { entries.append(entry) }
        }
    }

    /// The time ranges that the entries cover.
    var stretches: TimeRanges {
        TimeRanges(
            entries.filter { $0.start < $0.end }.map {
                $0.start..<$0.end
            })
    }
}
