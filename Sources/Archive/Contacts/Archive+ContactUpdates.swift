import Foundation
import GRDB

extension Archive {
    /// Brings the contacts up to date after the encounters of a board, or the periods of its own identities.
    ///
    /// - Parameters:
    ///   - boots: the boots whose records or clocks have changed.
    ///   - times: gets the times of encounters whose contacts change.
    func updateContacts(
        ofBoard board: Int64, boots: [(boot: StoredBoot, placement: BootPlacement)], _ times: TouchedTimes,
        in database: Database
    ) throws {
        let changed = try ServedTable(boardID: board, archive: self, database: database).update(boots)
        try updateSightings(like: changed, times, in: database)
    }

    /// Removes the encounters and contacts of a board and what it served, before its boots are removed.
    func removeEncounters(ofBoard board: Int64, in database: Database) throws {
        try database.execute(
            sql: "DELETE FROM contact WHERE boardID = :board OR otherBoardID = :board",
            arguments: ["board": board])
        try database.execute(sql: "DELETE FROM encounter WHERE boardID = ?", arguments: [board])
        try database.execute(sql: "DELETE FROM presence WHERE boardID = ?", arguments: [board])
        let changed = try ServedTable(boardID: board, archive: self, database: database).removeAll()
        let times = TouchedTimes()
        try updateSightings(like: changed, times, in: database)
        try PresenceKeeper(database: database).update(times)
    }

    private func updateSightings(
        like likenesses: Set<Data>, _ times: TouchedTimes, in database: Database
    ) throws {
        let table = SightingTable(database: database, touchedTimes: times)
        try table.update(table.encounters(like: likenesses), areNew: false)
        try ContactKeeper(database: database).joinLooseSightings()
    }
}
