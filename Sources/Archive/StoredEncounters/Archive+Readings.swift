import FixedMemory
import Foundation
import GRDB
import LogContents

extension Archive {
    private static let portionReadingCount = 50_000
    private static let portionCount = 500

    /// Calls `body` with each encounter that the filter admits, its samples and all readings that its board
    /// recorded, in the order of ``forEachEncounter(matching:withStrangersOnly:_:)``. The memory is that of
    /// some hundred encounters, or of one that has very many readings.
    ///
    /// - Parameter body: says whether the next one is wanted.
    public func forEachEncounterWithReadings(
        matching filter: EncounterFilter = .init(), _ body: (Encounter) -> Bool
    ) throws(ArchiveError) {
        try reading { database in
            let boards = try identitiesOfBoards(in: database)
            let stored = StoredSamples(
                boards: boards, withReadings: true, archive: self, database: database)
            var portion: [(number: Int64, boardID: Int64, summary: EncounterSummary)] = []
            var readingCount = 0
            func finish() throws -> Bool {
                defer { (portion, readingCount) = ([], 0) }
                let found = try stored.measurements(of: portion.map { ($0.number, $0.boardID) })
                for each in portion {
                    let measured = found[each.number] ?? StoredSamples.Measurements()
                    var encounter = Encounter(each.summary, samples: measured.samples)
                    encounter.readings = measured.readings
                    guard body(encounter) else { return false }
                }
                return true
            }
            var isNextWanted = true
            try forEachEncounterRow(matching: filter, boards: boards, in: database) {
                number, boardID, summary in
                portion.append((number, boardID, summary))
                readingCount += summary.signal.readingCount
                if portion.count >= Self.portionCount || readingCount >= Self.portionReadingCount {
                    isNextWanted = try finish()
                }
                return isNextWanted
            }
            if isNextWanted { _ = try finish() }
        }
    }
}
