import EncounterLog
import FixedMemory
import Foundation
import GRDB

/// The board's own identities: those that it served to peers.
extension Archive {
    /// The own identities of one boot, in order of time.
    func ownIdentities(ofBoot boot: Int64, in database: Database) throws -> [OwnIdentityRecord] {
        let rows = try Row.fetchAll(
            database,
            sql: "SELECT * FROM ownIdentity WHERE bootID = ? ORDER BY monotonicMilliseconds",
            arguments: [boot])
        return rows.map(OwnIdentityRecord.init)
    }
}

extension PageImporter {
    func insert(_ entry: OwnIdentityEntry, boot: Int64) throws {
        try run(
            sql: """
                INSERT OR IGNORE INTO ownIdentity
                    (bootID, monotonicMilliseconds, address, addressType, scheme, payload)
                VALUES (?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                boot, time(entry.instant), Data(copying: entry.address.span),
                entry.addressType, entry.scheme.rawValue, Data(copying: entry.identity.span),
            ])
    }
}

extension OwnIdentityRecord {
    fileprivate init(row: Row) {
        let address: Data = row["address"]
        let payload: Data = row["payload"]
        self.init(
            instant: row["monotonicMilliseconds"],
            address: RecordedAddress(bytes: [UInt8](address), type: row["addressType"]),
            identity: payload.isEmpty
                ? nil : Identity(scheme: SchemeCode(rawValue: row["scheme"]), payload: [UInt8](payload)))
    }
}
