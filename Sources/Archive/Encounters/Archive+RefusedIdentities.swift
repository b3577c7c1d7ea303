import EncounterLog
import Foundation
import GRDB

/// Identities that boards refused.
extension Archive {
    /// The refused identities of one boot, in order of time.
    func refusedIdentities(ofBoot boot: Int64, in database: Database) throws -> [RefusedIdentity] {
        let rows = try Row.fetchAll(
            database,
            sql: "SELECT * FROM refusedIdentity WHERE bootID = ? ORDER BY monotonicMilliseconds, rowid",
            arguments: [boot])
        return rows.map(RefusedIdentity.init)
    }
}

extension PageImporter {
    func insert(_ entry: IdentityRefusedEntry, boot: Int64) throws {
        try run(
            sql: """
                INSERT OR IGNORE INTO refusedIdentity
                    (bootID, track, monotonicMilliseconds, scheme, reason, marks, bytes)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                boot, entry.encounter ?? 0, time(entry.instant), entry.scheme.rawValue,
                entry.reason.rawValue, entry.marks.rawValue, Data(copying: entry.bytes.span),
            ])
    }
}

extension RefusedIdentity {
    fileprivate init(row: Row) {
        let number: UInt32 = row["track"]
        let bytes: Data = row["bytes"]
        self.init(
            instant: row["monotonicMilliseconds"], track: number == 0 ? nil : number,
            scheme: SchemeCode(rawValue: row["scheme"]), reason: IdentityRefusal(rawValue: row["reason"]),
            marks: IdentityMarks(rawValue: row["marks"]), bytes: [UInt8](bytes))
    }
}
