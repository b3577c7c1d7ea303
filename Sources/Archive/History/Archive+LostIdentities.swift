import EncounterLog
import FixedMemory
import Foundation
import GRDB

// Entries refer to identities by their hashes. Where the page with one is lost, another page of the board may have it.

extension Archive {
    /// What devices said to the board who they were, in order of time, by track. What a lost page said is taken from whatever
    /// else there is of the board, unless two identities fit.
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
                    monotonicMilliseconds: row["monotonicMilliseconds"],
                    identity: identity.lostHash.flatMap { known[$0] ?? nil } ?? identity,
                    marks: IdentityMarks(rawValue: row["marks"]))
            }
        }
    }

    /// Nil where two have the same hash.
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
    /// Eight, as in an entry.
    var bytes: [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: value &>> (8 * $0)) } }

    init(bytes: [UInt8]) {
        self.init(value: bytes.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) })
    }
}

extension Identity {
    /// A row with scheme, payload, and whether that is what the hash of a lost one begins with.
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
