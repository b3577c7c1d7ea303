import EncounterLog
import FixedMemory
import Foundation
import GRDB

// Entries refer to identities by hash. If the page with an identity is lost, another page of the board may
// contain it.

extension TrackReader {
    /// The identities that peers presented, by the row of their track and in order of time. An identity in a
    /// lost page is looked up by its hash in the board's other pages, unless two identities have that hash.
    func identifications(_ list: TrackList) throws -> [Int64: [Identification]] {
        let rows = try list.rows(
            of: "identification", order: "monotonicMilliseconds, identification.rowid", in: database)
        return try rows.mapValues { rows in
            try rows.map { row in
                var identity = Identity(row: row)
                if let hash = identity.lostHash {
                    identity = try identitiesByHash.get()[hash].flatMap(\.self) ?? identity
                }
                return Identification(
                    instant: row["monotonicMilliseconds"], identity: identity,
                    marks: IdentityMarks(rawValue: row["marks"]))
            }
        }
    }

    func knownIdentities() throws -> [IdentityHash: Identity?] {
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT DISTINCT scheme, payload, isLost
                FROM identification JOIN track ON trackID = track.id JOIN boot ON bootID = boot.id
                WHERE boardID = ? AND NOT isLost
                """, arguments: [boardID])
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
