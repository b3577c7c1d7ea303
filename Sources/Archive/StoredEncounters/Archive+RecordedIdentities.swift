import EncounterLog
import FixedMemory
import GRDB
import LogContents

extension Archive {
    /// Calls `body` with each stored encounter of a scheme that may match by its time, and the bytes of its
    /// identity, in no order. Only one is in memory at a time.
    ///
    /// - Parameters:
    ///   - filter: its boards and ``EncounterFilter/excludesWritten``; nothing else of it applies.
    ///   - oldest: the earliest end; an index finds the encounters, so earlier ones cost nothing.
    public func forEachRecordedIdentity(
        of scheme: SchemeCode, matching filter: EncounterFilter, since oldest: WallClockTime,
        _ body: (RecordedIdentity, Span<UInt8>) -> Void
    ) throws(ArchiveError) {
        try reading { database in
            let query = try RecordedIdentityQuery(
                scheme, filter, boards: identitiesOfBoards(in: database), since: oldest)
            let rows = try Row.fetchCursor(
                database,
                sql: """
                    SELECT payload, id, startMilliseconds, endMilliseconds, basis = :unchecked
                    FROM \(query.searchable)
                    """,
                arguments: query.arguments + ["unchecked": ClockBasis.unchecked.rawValue])
            while let row = try rows.next() {
                let recorded = RecordedIdentity(
                    row: row[1], start: TimelinePoint(milliseconds: row[2]),
                    end: TimelinePoint(milliseconds: row[3]), isUnchecked: row[4])
                try row.withIdentity { body(recorded, $0) }
            }
        }
    }

    /// The number of encounters for which ``forEachRecordedIdentity(of:matching:since:_:)`` calls its body.
    public func recordedIdentityCount(
        of scheme: SchemeCode, matching filter: EncounterFilter, since oldest: WallClockTime
    ) throws(ArchiveError) -> Int {
        try reading { database in
            let query = try RecordedIdentityQuery(
                scheme, filter, boards: identitiesOfBoards(in: database), since: oldest)
            return try Int.fetchOne(
                database, sql: "SELECT count(*) FROM \(query.searchable)", arguments: query.arguments) ?? 0
        }
    }

    /// Calls `body` with the reason and the bytes of the identity of each stored encounter of a scheme that
    /// cannot match. It reads the whole table.
    public func forEachUnsearchableIdentity(
        of scheme: SchemeCode, matching filter: EncounterFilter, since oldest: WallClockTime,
        _ body: (UnsearchableReason, Span<UInt8>) -> Void
    ) throws(ArchiveError) {
        try reading { database in
            let query = try RecordedIdentityQuery(
                scheme, filter, boards: identitiesOfBoards(in: database), since: oldest)
            var progress = try ProgressCount(.readingEncounters, stride: 10_000) {
                try encounterCountBound(in: database)
            }
            let rows = try Row.fetchCursor(
                database,
                sql: """
                    SELECT payload, \(RecordedIdentityQuery.reason) FROM \(query.unsearchable)
                    """, arguments: query.unsearchableArguments)
            while let row = try rows.next() {
                progress.add()
                guard let reason = UnsearchableReason(rawValue: row[1]) else { continue }
                try row.withIdentity { body(reason, $0) }
            }
        }
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

extension Row {
    /// Calls `body` with the identity's bytes, in the first column; they live only as long as the row.
    fileprivate func withIdentity(_ body: (Span<UInt8>) -> Void) throws {
        try withUnsafeData(atIndex: 0) { data in
            data?.withUnsafeBytes { body($0.bindMemory(to: UInt8.self).span) }
        }
    }
}

/// The SQL that divides the encounters of a scheme into those that a search looks at and all others.
private struct RecordedIdentityQuery {
    let searchable: String
    let arguments: StatementArguments
    let unsearchable: String
    let unsearchableArguments: StatementArguments

    /// As ``UnsearchableReason``.
    static let reason = """
        CASE WHEN isLost THEN \(UnsearchableReason.lost.rawValue)
            WHEN boot IS NOT NULL THEN \(UnsearchableReason.undated.rawValue)
            ELSE \(UnsearchableReason.expired.rawValue) END
        """

    init(
        _ scheme: SchemeCode, _ filter: EncounterFilter, boards: [Int64: LogIdentity], since: WallClockTime
    ) {
        let span = OverlapQuery(of: "encounter", where: "boot IS NULL", since: since, until: nil)
        let chosen = boards.filter { filter.boards?.contains($0.value) ?? true }.keys.sorted()
        // The index by board would read a large table in a bad order, and most searches want all boards.
        var conditions =
            "scheme = :scheme AND +boardID IN (\(chosen.map(String.init).joined(separator: ", ")))"
        if filter.excludesWritten {
            conditions += """
                 AND marks & \(IdentityMarks.written.rawValue) = 0
                AND NOT (sampleCount = 0 AND readingCount = 0 AND writtenReadingCount > 0)
                """
        }
        searchable = "\(span.source) AND NOT isLost AND \(conditions)"
        unsearchable =
            "encounter WHERE (isLost OR boot IS NOT NULL OR endMilliseconds < :since) AND \(conditions)"
        arguments = span.arguments + ["scheme": scheme.rawValue]
        unsearchableArguments = [
            "scheme": scheme.rawValue, "since": TimelinePoint(since).milliseconds,
        ]
    }
}
