import FixedMemory
import Foundation
import GRDB

/// The stored encounters of one board, with the pieces that they are joined from.
struct PieceTable {
    /// The place of a piece: the row of its boot, its track, and its place among those of its track.
    struct Part: Hashable {
        let boot: Int64
        let track: UInt32
        let place: Int
    }

    let boardID: Int64
    /// The rows of the boots with these identifiers.
    let rowsOfBoots: [UInt64: Int64]
    /// The longest silence within an encounter.
    let reach: Interval
    let database: Database
    let sightings: SightingTable
    let newEncounters: NewEncounters

    var hasEncounters: Bool {
        get throws {
            try Bool.fetchOne(
                database, sql: "SELECT EXISTS (SELECT 1 FROM encounter WHERE boardID = ?)",
                arguments: [boardID]) == true
        }
    }

    /// The encounters that have pieces of these tracks.
    func encounters(of tracks: [UInt32], ofBoot boot: Int64) throws -> [Int64] {
        try Int64.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT DISTINCT encounterID FROM encounterPart
                    WHERE bootID = ? AND track IN (SELECT value FROM json_each(?))
                    """), arguments: [boot, JSONList.text(tracks)])
    }

    /// The encounters of the same peer that pieces may continue, or that may continue these.
    func encounters(near pieces: [EncounterPiece], digest: Data) throws -> [Int64] {
        var near: Set<Int64> = []
        for (timeline, pieces) in Dictionary(grouping: pieces, by: { EncounterRow.boot(of: $0) }) {
            guard let first = pieces.map(\.encounter.start).min(),
                let last = pieces.map(\.encounter.end).max()
            else { continue }
            near.formUnion(
                try Int64.fetchAll(
                    database.cachedStatement(
                        sql: """
                            SELECT id FROM encounter
                            WHERE boardID = ? AND likeness = ? AND boot IS ?
                                AND startMilliseconds <= ? AND endMilliseconds >= ?
                            """),
                    arguments: [
                        boardID, digest, timeline, (last + reach).milliseconds, (first - reach).milliseconds,
                    ]))
        }
        return near.sorted()
    }

    /// Removes encounters.
    ///
    /// - Returns: their pieces.
    func remove(_ encounters: [Int64]) throws -> [Part] {
        let list = JSONList.text(encounters)
        let rows = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT bootID, track, place FROM encounterPart
                    WHERE encounterID IN (SELECT value FROM json_each(?))
                    """), arguments: [list])
        try sightings.touchTimes(of: list)
        try sightings.dissolveContacts(of: list)
        try database.cachedStatement(
            sql: "DELETE FROM encounter WHERE id IN (SELECT value FROM json_each(?))"
        ).execute(arguments: [list])
        return rows.map { Part(boot: $0["bootID"], track: $0["track"], place: $0["place"]) }
    }

    func insert(_ piece: EncounterPiece) throws {
        try EncounterRow(piece, boardID: boardID).insert(into: database)
        let encounter = database.lastInsertedRowID
        try newEncounters.add(encounter)
        let statement = try database.cachedStatement(
            sql: "INSERT INTO encounterPart (bootID, track, place, encounterID) VALUES (?, ?, ?, ?)")
        for source in piece.sources {
            try statement.execute(
                arguments: [rowsOfBoots[source.boot], source.track, source.number, encounter])
        }
    }
}
