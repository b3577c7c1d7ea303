import EncounterLog
import FixedMemory
import GRDB
import LogContents

extension Archive {
    /// Calls `body` with each stored encounter of a scheme and the bytes of its identity, in no order. Only
    /// one is in memory at a time.
    ///
    /// - Parameters:
    ///   - filter: its boards and ``EncounterFilter/excludesWritten``; nothing else of it applies.
    ///   - body: says whether the next one is wanted.
    public func forEachRecordedIdentity(
        of scheme: SchemeCode, matching filter: EncounterFilter,
        _ body: (RecordedIdentity, Span<UInt8>) -> Bool
    ) throws(ArchiveError) {
        try reading { database in
            let boards = try identitiesOfBoards(in: database)
            let chosen = (rows(of: filter.boards, among: boards) ?? boards.keys.sorted())
                .map(String.init).joined(separator: ", ")
            let written =
                filter.excludesWritten
                ? """
                 AND marks & \(IdentityMarks.written.rawValue) = 0
                 AND NOT (sampleCount = 0 AND readingCount = 0 AND writtenReadingCount > 0)
                """ : ""
            let rows = try Row.fetchCursor(
                database,
                sql: """
                    SELECT id, startMilliseconds, endMilliseconds, boot IS NULL, isLost, basis = ?, payload
                    FROM encounter WHERE scheme = ? AND boardID IN (\(chosen))\(written)
                    """,
                arguments: [ClockBasis.unchecked.rawValue, scheme.rawValue])
            var progress = try ProgressCount(.readingEncounters, stride: 10_000) {
                try encounterCountBound(in: database)
            }
            while let row = try rows.next() {
                progress.add()
                let recorded = RecordedIdentity(
                    row: row[0], start: TimelinePoint(milliseconds: row[1]),
                    end: TimelinePoint(milliseconds: row[2]), isOnWallClock: row[3], isLost: row[4],
                    isUnchecked: row[5])
                let isNextWanted = try row.withUnsafeData(atIndex: 6) { data in
                    guard let data else { return true }
                    return data.withUnsafeBytes { bytes in
                        body(recorded, bytes.bindMemory(to: UInt8.self).span)
                    }
                }
                guard isNextWanted else { return }
            }
        }
    }

    /// The number of stored encounters, or a little more; unlike a count it costs nothing.
    public func encounterCountBound() throws(ArchiveError) -> Int {
        try reading { try encounterCountBound(in: $0) }
    }

    func encounterCountBound(in database: Database) throws -> Int {
        try Int.fetchOne(database, sql: "SELECT max(id) FROM encounter") ?? 0
    }

    /// Stored encounters with their samples, by the numbers of their rows, in order of time.
    public func encounters(rows numbers: [Int64]) throws(ArchiveError) -> [Encounter] {
        try reading { database in
            let boards = try identitiesOfBoards(in: database)
            let statement = try database.makeStatement(
                sql: "SELECT \(EncounterRow.columns.joined(separator: ", ")) FROM encounter WHERE id = ?")
            let found = try numbers.compactMap { number -> (Int64, Int64, EncounterSummary)? in
                guard let row = try Row.fetchOne(statement, arguments: [number]),
                    let board = boards[row[0]]
                else { return nil }
                return (number, row[0], EncounterSummary(row: row, board: board))
            }
            let samples = try StoredSamples(boards: boards, archive: self, database: database)
                .samples(of: found.map { ($0.0, $0.1) })
            return found.map { Encounter($2, samples: samples[$0, default: []]) }
                .sorted { ($0.start, $0.end) < ($1.start, $1.end) }
        }
    }
}
