import EncounterLog
import FixedMemory
import Foundation
import GRDB
import LogContents

/// The identities that one board served.
public struct ServedIdentities: Sendable, Equatable {
    public let board: LogIdentity
    /// The board's name, or the first 8 digits of its log identity.
    public let label: String
    public let identities: Set<Identity>

    public init(board: LogIdentity, label: String, identities: Set<Identity>) {
        self.board = board
        self.label = label
        self.identities = identities
    }
}

/// The board's own identities: those that it served to peers.
extension Archive {
    /// The identities that each trusted board served, in the order in which the boards were registered.
    public func servedIdentities() throws(ArchiveError) -> [ServedIdentities] {
        let boards = try boards()
        return try reading { database in
            try boards.map { board in
                let rows = try Row.fetchAll(
                    database,
                    sql: """
                        SELECT DISTINCT scheme, payload FROM ownIdentity JOIN boot ON bootID = boot.id
                        WHERE boardID = ? AND length(payload) > 0
                        """, arguments: [try boardID(board.identity, in: database)])
                return ServedIdentities(
                    board: board.identity, label: board.label,
                    identities: Set(rows.compactMap(Identity.init(ownIdentity:))))
            }
        }
    }

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
        self.init(
            instant: row["monotonicMilliseconds"],
            address: RecordedAddress(bytes: [UInt8](address), type: row["addressType"]),
            identity: Identity(ownIdentity: row))
    }
}

extension Identity {
    /// Nil for an empty payload: the board served no identity.
    fileprivate init?(ownIdentity row: Row) {
        let payload: Data = row["payload"]
        guard !payload.isEmpty else { return nil }
        self.init(scheme: SchemeCode(rawValue: row["scheme"]), payload: [UInt8](payload))
    }
}
