import Cryptography
import FixedMemory
import Foundation
import GRDB
import LogContents

/// A board that nobody has trusted yet. Its log is stored, but not decoded, and nothing in it counts.
///
/// Anybody can read a log identity, and anything at a port can claim it. So an unknown board is kept apart,
/// under the identity and the key that it presented, until the operator trusts it.
public struct UntrustedBoard: Sendable, Equatable {
    /// The identity under which the archive keeps the board's log.
    public let identity: LogIdentity
    /// The log identity that the board claims.
    public let claimedIdentity: LogIdentity
    public let name: String?
    /// The board's own public key: X9.63, uncompressed. Nil for a board without keys.
    public let publicKey: Bytes<65>?
    public let segmentCount: Int
    public let byteCount: Int
    public let lastSync: WallClockTime?

    /// The name in one line, or the first 8 digits of the claimed log identity.
    public var label: String { name.map(OneLineText.text) ?? claimedIdentity.short }
}

extension Archive {
    /// True if the archive knows the board and an operator has trusted it.
    public func isTrusted(_ board: LogIdentity) throws(ArchiveError) -> Bool {
        try reading { database in
            try Bool.fetchOne(
                database,
                sql: """
                    SELECT EXISTS (SELECT 1 FROM board WHERE logIdentity = ? AND claimedIdentity IS NULL)
                    """, arguments: [board.blob]) == true
        }
    }

    /// True if the archive has a board under this identity, trusted or not.
    public func contains(_ board: LogIdentity) throws(ArchiveError) -> Bool {
        try reading { try contains(board, in: $0) }
    }

    func contains(_ board: LogIdentity, in database: Database) throws -> Bool {
        try Bool.fetchOne(
            database, sql: "SELECT EXISTS (SELECT 1 FROM board WHERE logIdentity = ?)",
            arguments: [board.blob]) == true
    }

    /// The log identity that the board's pages name. For an untrusted board it is the claimed one.
    public func namedIdentity(of board: LogIdentity) throws(ArchiveError) -> LogIdentity {
        try reading { database in
            try Data.fetchOne(
                database, sql: "SELECT claimedIdentity FROM board WHERE logIdentity = ?",
                arguments: [board.blob])
        }.flatMap { LogIdentity(blob: $0) } ?? board
    }

    /// The identity under which the archive keeps the log of an untrusted board.
    ///
    /// - Parameter publicKey: the board's own public key: X9.63; nil for a board without keys.
    public static func identity(
        ofUntrusted claimed: LogIdentity, publicKey: Bytes<65>?
    ) -> LogIdentity {
        var hash = SHA256()
        hash.update(Array("tabard untrusted board 1".utf8).span)
        hash.update(claimed.bytes.span)
        if let publicKey { hash.update(publicKey.span) }
        let digest = [UInt8](copying: hash.finish().span)
        return LogIdentity(Array(digest.prefix(LogIdentity.byteCount))) ?? claimed
    }

    /// Registers a board, or finds it, and stores what it has proved: all of it or nothing. An untrusted
    /// board that is trusted from now on keeps the log that was stored before.
    ///
    /// - Returns: the identity under which the archive keeps the board's log.
    @discardableResult
    public func register(_ board: BoardRegistration) throws(ArchiveError) -> LogIdentity {
        let publicKey = board.key?.keyring.publicKey
        if board.isTrusted, let publicKey { beforeTrusting(board.claimed, publicKey) }
        let untrusted = Self.identity(ofUntrusted: board.claimed, publicKey: publicKey)
        let identity = board.isTrusted ? board.claimed : untrusted
        try transaction { database in
            if board.isTrusted {
                try vouch(for: publicKey, aloneOf: untrusted, in: database)
                try database.execute(
                    sql: """
                        UPDATE board SET logIdentity = ?, claimedIdentity = NULL WHERE logIdentity = ?
                            AND NOT EXISTS (SELECT 1 FROM board WHERE logIdentity = ?)
                        """, arguments: [identity.blob, untrusted.blob, identity.blob])
                try proveClockReadings(of: identity, as: untrusted, in: database)
            }
            try register(
                identity, claimed: board.isTrusted ? nil : board.claimed, board.geometry, name: board.name,
                in: database)
            if let key = board.key { try record(key, of: identity, in: database) }
            if let manifest = board.manifest { try record(manifest, of: identity, in: database) }
        }
        return identity
    }

    /// A name that is given replaces the stored one.
    func register(
        _ board: LogIdentity, claimed: LogIdentity?, _ geometry: PageGeometry, name: String?,
        in database: Database
    ) throws {
        try database.execute(
            sql: """
                INSERT INTO board (logIdentity, claimedIdentity, blockByteCount, unitByteCount, name)
                VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (logIdentity) DO UPDATE SET name = coalesce(excluded.name, name)
                """,
            arguments: [
                board.blob, claimed?.blob, geometry.blockByteCount, geometry.unitByteCount, name,
            ])
    }

    /// Proves the clock samples of a board that were proven under another identity.
    private func proveClockReadings(
        of board: LogIdentity, as before: LogIdentity, in database: Database
    ) throws {
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT clockReading.rowid AS place, clockReading.* FROM clockReading
                    JOIN board ON board.id = boardID WHERE logIdentity = ?
                """, arguments: [board.blob])
        for row in rows {
            let proof: Data? = row["proof"]
            guard proof == clockProof(row, of: before.blob) else { continue }
            try database.execute(
                sql: "UPDATE clockReading SET proof = ? WHERE rowid = ?",
                arguments: [clockProof(row, of: board.blob), row["place"] as Int64])
        }
    }

    /// The boards that nobody has trusted yet, in the order in which they were first fetched. A board that
    /// only the archive vouches for, after it was in other hands, is one for each of its keys.
    public func untrustedBoards() throws(ArchiveError) -> [UntrustedBoard] {
        try reading { database in
            try rowsOfUntrustedBoards(in: database) + disownedBoards(in: database)
        }
    }

    private func rowsOfUntrustedBoards(in database: Database) throws -> [UntrustedBoard] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT board.*,
                    (SELECT publicKey FROM boardKey WHERE boardID = board.id ORDER BY id LIMIT 1)
                        AS publicKey,
                    \(Self.countsOfBoard)
                FROM board WHERE claimedIdentity IS NOT NULL ORDER BY id
                """
        ).compactMap(UntrustedBoard.init)
    }

    func disownedBoards(in database: Database) throws -> [UntrustedBoard] {
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT board.*, boardKey.publicKey AS publicKey, \(Self.countsOfBoard)
                FROM board JOIN boardKey ON boardID = board.id WHERE claimedIdentity IS NULL
                ORDER BY board.id, boardKey.id
                """)
        return try rows.filter { row in
            guard let board = LogIdentity(blob: row["logIdentity"]) else { return false }
            return try vouchedKeys(of: board, in: database).isEmpty
        }.compactMap(UntrustedBoard.init)
    }

    private static let countsOfBoard = """
        (SELECT count(*) FROM segment WHERE boardID = board.id) AS segmentCount,
        (SELECT coalesce(sum(\(storedByteCountOfSegment)), 0) FROM segment WHERE boardID = board.id)
            AS byteCount
        """

    /// Trusts a board: from now on its key proves that it is this board, and its log counts.
    ///
    /// - Returns: the log identity, under which the archive keeps the board from now on.
    /// - Throws: `trustedAlready` if the archive trusts another board with this log identity.
    @discardableResult
    public func trust(_ board: UntrustedBoard, keys: OwnerKeys = .none) throws(ArchiveError) -> LogIdentity {
        let claimed = board.claimedIdentity
        if claimed != board.identity, try contains(claimed) { throw .trustedAlready(claimed) }
        if let publicKey = board.publicKey { beforeTrusting(claimed, publicKey) }
        try transaction { database in
            try vouch(for: board.publicKey, aloneOf: board.identity, in: database)
            guard claimed != board.identity else { return }
            try database.execute(
                sql: "UPDATE board SET logIdentity = ?, claimedIdentity = NULL WHERE logIdentity = ?",
                arguments: [claimed.blob, board.identity.blob])
            try proveClockReadings(of: claimed, as: board.identity, in: database)
        }
        try decodePages(of: claimed, keys: keys)
        return claimed
    }

    /// The operator has compared this key only. Somebody else may have added others.
    private func vouch(for key: Bytes<65>?, aloneOf board: LogIdentity, in database: Database) throws {
        try database.execute(
            sql: """
                UPDATE boardKey SET isVouched = (publicKey = ?)
                    WHERE boardID = (SELECT id FROM board WHERE logIdentity = ?)
                """, arguments: [key.map { Data(copying: $0.span) } ?? Data(), board.blob])
    }
}

extension UntrustedBoard {
    fileprivate init?(row: Row) {
        guard let identity = LogIdentity(blob: row["logIdentity"]),
            let claimed = LogIdentity(blob: row["claimedIdentity"] ?? row["logIdentity"])
        else { return nil }
        let publicKey: Data? = row["publicKey"]
        self.init(
            identity: identity, claimedIdentity: claimed, name: row["name"],
            publicKey: publicKey.flatMap { Bytes<65>($0) }, segmentCount: row["segmentCount"],
            byteCount: row["byteCount"], lastSync: row["lastSyncWallClockMilliseconds"])
    }
}
