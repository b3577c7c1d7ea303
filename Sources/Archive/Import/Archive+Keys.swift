import DeviceSync
import FixedMemory
import Foundation
import GRDB
import LogContents

/// The keys that a board reported.
public struct BoardKeyring: Equatable, Sendable {
    /// The board's own public key: X9.63, uncompressed.
    public let publicKey: Bytes<65>
    public let ownerFingerprint: Bytes<16>?
    public let operatorFingerprint: Bytes<16>?

    public init(publicKey: Bytes<65>, ownerFingerprint: Bytes<16>?, operatorFingerprint: Bytes<16>?) {
        self.publicKey = publicKey
        self.ownerFingerprint = ownerFingerprint
        self.operatorFingerprint = operatorFingerprint
    }

    /// The keys as the board reported them over the serial line.
    public init(_ report: BoardKeyReport) {
        self.init(
            publicKey: report.board.x963, ownerFingerprint: report.ownerFingerprint,
            operatorFingerprint: report.operatorFingerprint)
    }
}

/// A key that a board presented as its own. The board generates a new key if its key file is lost; a replaced
/// board also presents another key.
public struct StoredBoardKey: Equatable, Sendable {
    public var keyring: BoardKeyring
    /// True if it was the board's first key, or if an operator provisioned the board from this computer and
    /// accepted the key.
    public var isVouched: Bool
    /// When the board first presented it, by this computer's clock, since 1970 UTC; nil if that was not
    /// recorded.
    public var shownAt: WallClockTime?

    public init(_ keyring: BoardKeyring, isVouched: Bool, shownAt: WallClockTime?) {
        self.keyring = keyring
        self.isVouched = isVouched
        self.shownAt = shownAt
    }
}

extension Archive {
    /// Stores the reported keys of a registered board. Earlier keys stay in the archive, because earlier
    /// signatures need them.
    public func record(_ key: StoredBoardKey, of board: LogIdentity) throws(ArchiveError) {
        try transaction { try record(key, of: board, in: $0) }
    }

    func record(_ key: StoredBoardKey, of board: LogIdentity, in database: Database) throws {
        let known = try keyHistory(of: board, in: database)
        let inForce = known.last(where: \.isVouched)
        let isSame = inForce?.keyring.publicKey == key.keyring.publicKey
        let publicKey = Data(copying: key.keyring.publicKey.span)
        let fingerprints = [key.keyring.ownerFingerprint, key.keyring.operatorFingerprint].map {
            $0.map { Data(copying: $0.span) }
        }
        let isKnown = known.contains { $0.keyring.publicKey == key.keyring.publicKey }
        // An unvouched key that was presented before adds no information.
        if isKnown, !isSame, !key.isVouched { return }
        let board = try boardID(board, in: database)
        if isSame {
            return try database.execute(
                sql: """
                    UPDATE boardKey SET ownerFingerprint = ?, operatorFingerprint = ? WHERE id =
                        (SELECT max(id) FROM boardKey WHERE boardID = ? AND publicKey = ? AND isVouched)
                    """, arguments: [fingerprints[0], fingerprints[1], board, publicKey])
        }
        try database.execute(
            sql: "DELETE FROM boardKey WHERE boardID = ? AND publicKey = ? AND NOT isVouched",
            arguments: [board, publicKey])
        try database.execute(
            sql: """
                INSERT INTO boardKey (boardID, publicKey, ownerFingerprint, operatorFingerprint,
                    isVouched, shownWallClockMilliseconds) VALUES (?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                board, publicKey, fingerprints[0], fingerprints[1], key.isVouched,
                key.shownAt,
            ])
    }

    /// The board's current key: the newest vouched one. Nil if no key of the board is trusted.
    public func keys(of board: LogIdentity) throws(ArchiveError) -> BoardKeyring? {
        try reading { try judgedKeys(of: board, in: $0) }.last(where: \.isVouched)?.keyring
    }

    /// All keys of the board, in the order in which they were first presented.
    public func keyHistory(of board: LogIdentity) throws(ArchiveError) -> [StoredBoardKey] {
        try reading { try keyHistory(of: board, in: $0) }
    }

    func keyHistory(of board: LogIdentity, in database: Database) throws -> [StoredBoardKey] {
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT boardKey.* FROM boardKey JOIN board ON boardID = board.id WHERE logIdentity = ?
                ORDER BY boardKey.id
                """,
            arguments: [board.blob])
        return rows.compactMap(StoredBoardKey.init)
    }
}

extension StoredBoardKey {
    fileprivate init?(row: Row) {
        let publicKey: Data = row["publicKey"]
        guard let key = Bytes<65>(publicKey) else { return nil }
        let ownerKey: Data? = row["ownerFingerprint"]
        let operatorKey: Data? = row["operatorFingerprint"]
        self.init(
            BoardKeyring(
                publicKey: key, ownerFingerprint: ownerKey.flatMap { Bytes<16>($0) },
                operatorFingerprint: operatorKey.flatMap { Bytes<16>($0) }),
            isVouched: row["isVouched"], shownAt: row["shownWallClockMilliseconds"])
    }
}
