import Foundation
import GRDB

extension Archive {
    /// Brings the contacts up to date after the encounters of a board, or the periods of its own identities.
    ///
    /// - Parameter boots: the boots whose records or clocks have changed.
    func updateContacts(
        ofBoard board: Int64, boots: [(boot: StoredBoot, placement: BootPlacement)], in database: Database
    ) throws {
        let changed = try ServedTable(boardID: board, archive: self, database: database).update(boots)
        try updateSightings(like: changed, in: database)
    }

    /// Removes the encounters and contacts of a board and what it served, before its boots are removed.
    func removeEncounters(ofBoard board: Int64, in database: Database) throws {
        try database.execute(
            sql: "DELETE FROM contact WHERE boardID = :board OR otherBoardID = :board",
            arguments: ["board": board])
        try database.execute(sql: "DELETE FROM encounter WHERE boardID = ?", arguments: [board])
        let changed = try ServedTable(boardID: board, archive: self, database: database).removeAll()
        try updateSightings(like: changed, in: database)
    }

    private func updateSightings(like likenesses: Set<Data>, in database: Database) throws {
        let table = SightingTable(database: database)
        try table.update(table.encounters(like: likenesses))
        try ContactKeeper(database: database).joinLooseSightings()
    }
}
