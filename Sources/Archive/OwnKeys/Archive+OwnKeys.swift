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
            let row = try boardID(board, in: database)
            let identity = try identity(ofBoard: row, in: database)
            // A boot whose segments are forgotten preceded all remaining boots.
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT ownKey.*
                    FROM ownKey LEFT JOIN boot USING (boardID, bootIdentifier)
                    WHERE boardID = ? AND scheme = ?
                    ORDER BY firstSegmentOrdinal, firstByteOffset,
                        CASE WHEN firstSegmentOrdinal IS NULL THEN firstPeriod END, monotonicMilliseconds
                    """, arguments: [row, SchemeCode(scheme).rawValue])
            return rows.compactMap { row in
                let proof: Data? = row["proof"]
                guard isProven(proof, ownKeyProof(row, of: identity)) else { return nil }
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
    /// The same key may be logged several times. The first entry counts, unless another computer, or somebody
    /// else, has stored it.
    func insert(_ entry: OwnKeyEntry, boot: Int64) throws {
        let identifier = try Int64.fetchOne(
            database, sql: "SELECT bootIdentifier FROM boot WHERE id = ?", arguments: [boot])
        guard let identifier else { return }
        let key = Data(copying: entry.key.span)
        let known = try Row.fetchOne(
            database,
            sql: """
                SELECT * FROM ownKey
                WHERE boardID = ? AND scheme = ? AND firstPeriod = ? AND periodCount = ? AND key = ?
                """,
            arguments: [boardID, entry.scheme.rawValue, entry.firstPeriod, entry.periodCount, key])
        let stored: Data? = known?["proof"]
        if let known, stored == archive.ownKeyProof(known, of: board.blob) { return }
        let instant = time(entry.instant)
        let proof = archive.proof.code(
            .ownKey, of: board.blob,
            [
                Int64(entry.scheme.rawValue), Int64(entry.firstPeriod), Int64(entry.periodCount), identifier,
                Int64(clamping: instant.milliseconds),
            ], [key])
        try run(
            sql: """
                INSERT OR REPLACE INTO ownKey (boardID, scheme, firstPeriod, periodCount, key, bootIdentifier,
                    monotonicMilliseconds, proof) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                boardID, entry.scheme.rawValue, entry.firstPeriod, entry.periodCount, key, identifier,
                instant, proof,
            ])
    }
}
