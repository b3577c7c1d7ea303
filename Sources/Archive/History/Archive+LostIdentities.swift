import EncounterLog
import FixedMemory
import Foundation
import GRDB

// Entries refer to identities by hash. If the page with an identity is lost, another page of the board may
// contain it.

extension Archive {
    /// The identities that peers presented, by the row of their track and in order of time. An identity in a
    /// lost page is looked up by its hash in the board's other pages, unless two identities have that hash.
    func identifications(
        ofBoot boot: Int64, in database: Database
    ) throws -> [Int64: [Identification]] {
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT identification.* FROM identification JOIN track ON trackID = track.id
                WHERE bootID = ? ORDER BY monotonicMilliseconds, identification.rowid
                """, arguments: [boot])
        let isAnyLost = rows.contains { $0["isLost"] as Bool }
        let known = isAnyLost ? try identitiesByHash(ofBoardWithBoot: boot, in: database) : [:]
        return Dictionary(grouping: rows) { $0["trackID"] as Int64 }.mapValues { rows in
            rows.map { row in
                let identity = Identity(row: row)
                return Identification(
                    instant: row["monotonicMilliseconds"],
                    identity: identity.lostHash.flatMap { known[$0] ?? nil } ?? identity,
                    marks: IdentityMarks(rawValue: row["marks"]))
            }
        }
    }

    /// All known identities of the board by hash; nil for a hash that two identities share.
    private func identitiesByHash(
        ofBoardWithBoot boot: Int64, in database: Database
    ) throws -> [IdentityHash: Identity?] {
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT DISTINCT scheme, payload, isLost
                FROM identification JOIN track ON trackID = track.id JOIN boot ON bootID = boot.id
                WHERE boardID = (SELECT boardID FROM boot WHERE id = ?) AND NOT isLost
                """, arguments: [boot])
        let identities = rows.map(Identity.init(row:))
        return Dictionary(identities.map { ($0.hash, $0) }, uniquingKeysWith: { _, _ in nil })
    }
}

extension IdentityHash {
    /// The hash as 8 bytes, least significant first, as in a log entry.
    var bytes: [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: value &>> (8 * $0)) } }

    init(bytes: [UInt8]) {
        self.init(value: bytes.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) })
    }
}

extension Identity {
    /// Reads a row of scheme, payload and `isLost`; if `isLost` is set, the payload holds the first bytes of
    /// the hash.
    fileprivate init(row: Row) {
        let scheme = SchemeCode(rawValue: row["scheme"])
        let payload: Data = row["payload"]
        if row["isLost"] as Bool {
            self.init(lost: IdentityHash(bytes: [UInt8](payload)), scheme: scheme)
        } else {
            self.init(scheme: scheme, payload: [UInt8](payload))
        }
    }
}
