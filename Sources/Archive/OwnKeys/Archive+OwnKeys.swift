import EncounterLog
import FixedMemory
import Foundation
import GRDB
import LogContents
import Schemes

// Own keys belong to a board rather than to a boot: a root is logged once and is used for weeks. They
// are therefore not rebuilt with the other decoded rows, and they outlast the segments that contained them.
extension Archive {
    /// The keys that the board generated for a scheme, in log order.
    public func ownKeys(of board: LogIdentity, _ scheme: SchemeID) throws(ArchiveError) -> [OwnKey] {
        try reading { database in
            // A boot whose segments are forgotten preceded all remaining boots.
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT firstPeriod, periodCount, key
                    FROM ownKey LEFT JOIN boot USING (boardID, bootIdentifier)
                    WHERE boardID = ? AND scheme = ?
                    ORDER BY firstSegmentOrdinal, firstByteOffset,
                        CASE WHEN firstSegmentOrdinal IS NULL THEN firstPeriod END, monotonicMilliseconds
                    """, arguments: [try boardID(board, in: database), SchemeCode(scheme).rawValue])
            return rows.map { row in
                let key: Data = row["key"]
                return OwnKey(
                    scheme: SchemeCode(scheme), firstPeriod: row["firstPeriod"],
                    periodCount: row["periodCount"],
                    bytes: [UInt8](key))
            }
        }
    }

    /// Deletes the keys of which every period is over by then.
    func forgetOwnKeys(ofBoard board: Int64, overBy time: WallClockTime, in database: Database) throws {
        try database.execute(
            sql: """
                DELETE FROM ownKey WHERE boardID = ?
                    AND (firstPeriod + periodCount) * iif(scheme = ?, 600000, 86400000) <= ?
                """, arguments: [board, SchemeCode(.exposureNotification).rawValue, time])
    }
}

extension PageImporter {
    func insert(_ entry: OwnKeyEntry, boot: Int64) throws {
        try run(
            sql: """
                INSERT OR IGNORE INTO ownKey (boardID, scheme, firstPeriod, periodCount, key, bootIdentifier,
                    monotonicMilliseconds)
                SELECT boardID, ?, ?, ?, ?, bootIdentifier, ? FROM boot WHERE id = ?
                """,
            arguments: [
                entry.scheme.rawValue, entry.firstPeriod, entry.periodCount, Data(copying: entry.key.span),
                time(entry.instant), boot,
            ])
    }
}
