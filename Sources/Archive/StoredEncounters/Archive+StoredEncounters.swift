import Foundation
import GRDB
import LogContents

extension Archive {
    /// Calls `body` with each encounter that the filter admits, in order of time: first those on the wall
    /// clock, then those of each boot without one. Only one is in memory at a time.
    ///
    /// - Parameters:
    ///   - withStrangersOnly: leaves out encounters with boards of the archive.
    ///   - body: says whether the next one is wanted.
    public func forEachEncounter(
        matching filter: EncounterFilter = .init(), withStrangersOnly: Bool = false,
        _ body: (EncounterSummary) -> Bool
    ) throws(ArchiveError) {
        try reading { database in
            let boards = try identitiesOfBoards(in: database)
            try forEachEncounterRow(
                matching: filter, withStrangersOnly: withStrangersOnly, boards: boards, in: database
            ) { body($2) }
        }
    }

    /// Calls `body` with the number of the row, the row of the board, and the encounter.
    func forEachEncounterRow(
        matching filter: EncounterFilter, withStrangersOnly: Bool = false, boards: [Int64: LogIdentity],
        in database: Database, _ body: (Int64, Int64, EncounterSummary) throws -> Bool
    ) throws {
        var query = EncounterQuery(
            filter, boards: rows(of: filter.boards, among: boards), withStrangersOnly: withStrangersOnly)
        var progress = try ProgressCount(.readingEncounters, stride: 1_000) {
            try Int.fetchOne(
                database, sql: "SELECT count(*) FROM (\(query.sql))", arguments: query.arguments) ?? 0
        }
        query.sort()
        let rows = try Row.fetchCursor(database, sql: query.sql, arguments: query.arguments)
        while let row = try rows.next() {
            progress.add()
            let boardID: Int64 = row[0]
            guard let board = boards[boardID] else { continue }
            let summary = EncounterSummary(row: row, board: board)
            guard filter.admits(summary) else { continue }
            guard try body(row[EncounterRow.columns.count], boardID, summary) else { return }
        }
    }

    /// The encounters that the filter admits, in order of time.
    public func encounterSummaries(
        matching filter: EncounterFilter = .init()
    ) throws(ArchiveError) -> [EncounterSummary] {
        var summaries: [EncounterSummary] = []
        try forEachEncounter(matching: filter) {
            summaries.append($0)
            return true
        }
        return summaries
    }

    /// The number of all encounters.
    public func encounterCount() throws(ArchiveError) -> Int {
        try reading { try Int.fetchOne($0, sql: "SELECT count(*) FROM encounter") ?? 0 }
    }

    /// All identities that were met, each once.
    public func metIdentities() throws(ArchiveError) -> [Identity] {
        try reading { database in
            let rows = try Row.fetchCursor(
                database,
                sql: "SELECT DISTINCT scheme, payload, isLost FROM encounter WHERE scheme IS NOT NULL")
            var identities: [Identity] = []
            while let row = try rows.next() {
                if let identity = Identity(scheme: row[0], payload: row[1], isLost: row[2]) {
                    identities.append(identity)
                }
            }
            return identities
        }
    }

    /// Brings the stored encounters of a board up to date, after its clock samples have changed, and what
    /// follows from them.
    ///
    /// - Parameter times: collects the touched times of several boards; nil for one board.
    func updateEncounters(
        ofBoard board: Int64, touched: TouchedTracks = TouchedTracks(), times: TouchedTimes? = nil,
        in database: Database
    ) throws {
        // A conversion fills the tables later.
        guard try DerivedTables.areCurrent(in: database),
            let identity = LogIdentity(blob: try identity(ofBoard: board, in: database))
        else { return }
        let touchedTimes = times ?? TouchedTimes()
        let keeper = try EncounterKeeper(
            identity, boardID: board, touched: touched, touchedTimes: touchedTimes, archive: self,
            database: database)
        try keeper.update()
        try updateContacts(ofBoard: board, boots: keeper.changedBoots, touchedTimes, in: database)
        if times == nil { try PresenceKeeper(database: database).update(touchedTimes) }
    }

    /// The rows of boards with boots whose encounters were never made: another program has added the boots.
    func boardsWithoutEncounters() throws(ArchiveError) -> [Int64] {
        try reading { database in
            try Int64.fetchAll(
                database,
                sql: "SELECT DISTINCT boardID FROM boot WHERE id NOT IN (SELECT bootID FROM placement)")
        }
    }

    func makeMissingEncounters() throws(ArchiveError) {
        for board in try boardsWithoutEncounters() {
            try transaction { try updateEncounters(ofBoard: board, in: $0) }
        }
    }

    /// The rows of the chosen boards; nil for all.
    func rows(of chosen: Set<LogIdentity>?, among boards: [Int64: LogIdentity]) -> [Int64]? {
        chosen.map { chosen in boards.filter { chosen.contains($0.value) }.keys.sorted() }
    }

    func identitiesOfBoards(in database: Database) throws -> [Int64: LogIdentity] {
        let rows = try Row.fetchAll(
            database, sql: "SELECT id, logIdentity FROM board WHERE claimedIdentity IS NULL")
        return rows.reduce(into: [:]) { $0[$1["id"]] = LogIdentity(blob: $1["logIdentity"]) }
    }
}
