import DeviceSync
import FixedMemory
import Foundation
import GRDB
import LogContents

/// What a board said of its keys.
public struct BoardKeyring: Equatable, Sendable {
    /// The board's own public key, X9.63, uncompressed.
    public let publicKey: Bytes<65>
    public let openingFingerprint: Bytes<16>?
    public let operatorFingerprint: Bytes<16>?

    public init(publicKey: Bytes<65>, openingFingerprint: Bytes<16>?, operatorFingerprint: Bytes<16>?) {
        self.publicKey = publicKey
        self.openingFingerprint = openingFingerprint
        self.operatorFingerprint = operatorFingerprint
    }

    /// As the board said it over the cable.
    public init(_ report: BoardKeyReport) {
        self.init(
            publicKey: report.board.x963, openingFingerprint: report.openingFingerprint,
            operatorFingerprint: report.operatorFingerprint)
    }
}

/// A key that a board has shown as its own. It makes itself another when its keys file is lost; a board that was exchanged
/// shows another as well.
public struct StoredBoardKey: Equatable, Sendable {
    public var keyring: BoardKeyring
    /// It was the board's first, or whoever provisioned the board from here took it for the board's.
    public var isVouched: Bool
    /// When it was first shown, by this computer's clock, since 1970 UTC; nil if nobody noted it.
    public var shownWallClockMilliseconds: Int64?

    public init(_ keyring: BoardKeyring, isVouched: Bool, shownWallClockMilliseconds: Int64?) {
        self.keyring = keyring
        self.isVouched = isVouched
        self.shownWallClockMilliseconds = shownWallClockMilliseconds
    }
}

extension Archive {
    /// Keeps what a known board said of its keys. Its key before stays known, for what was signed with that.
    public func record(_ key: StoredBoardKey, of board: LogIdentity) throws(ArchiveError) {
        let known = try keyHistory(of: board)
        let inForce = known.last(where: \.isVouched)
        let isSame = inForce?.keyring.publicKey == key.keyring.publicKey
        let publicKey = Data(copying: key.keyring.publicKey.span)
        let fingerprints = [key.keyring.openingFingerprint, key.keyring.operatorFingerprint].map {
            $0.map { Data(copying: $0.span) }
        }
        let isKnown = known.contains { $0.keyring.publicKey == key.keyring.publicKey }
        // Nothing is new in a key that nobody vouches for, and that was shown before.
        if isKnown, !isSame, !key.isVouched { return }
        try transaction { database in
            let board = try boardID(board, in: database)
            if isSame {
                return try database.execute(
                    sql: """
                        UPDATE boardKey SET openingFingerprint = ?, operatorFingerprint = ? WHERE id =
                            (SELECT max(id) FROM boardKey WHERE boardID = ? AND publicKey = ? AND isVouched)
                        """, arguments: [fingerprints[0], fingerprints[1], board, publicKey])
            }
            try database.execute(
                sql: "DELETE FROM boardKey WHERE boardID = ? AND publicKey = ? AND NOT isVouched",
                arguments: [board, publicKey])
            try database.execute(
                sql: """
                    INSERT INTO boardKey (boardID, publicKey, openingFingerprint, operatorFingerprint,
                        isVouched, shownWallClockMilliseconds) VALUES (?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    board, publicKey, fingerprints[0], fingerprints[1], key.isVouched,
                    key.shownWallClockMilliseconds,
                ])
        }
    }

    /// The key in force: the newest of those vouched for. Nil for a board that has shown none.
    public func keys(of board: LogIdentity) throws(ArchiveError) -> BoardKeyring? {
        try keyHistory(of: board).last(where: \.isVouched)?.keyring
    }

    /// In the order in which they came.
    public func keyHistory(of board: LogIdentity) throws(ArchiveError) -> [StoredBoardKey] {
        try reading { database in
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
}

extension StoredBoardKey {
    fileprivate init?(row: Row) {
        let publicKey: Data = row["publicKey"]
        guard let key = Bytes<65>(publicKey) else { return nil }
        let opening: Data? = row["openingFingerprint"]
        let operating: Data? = row["operatorFingerprint"]
        self.init(
            BoardKeyring(
                publicKey: key, openingFingerprint: opening.flatMap { Bytes<16>($0) },
                operatorFingerprint: operating.flatMap { Bytes<16>($0) }),
            isVouched: row["isVouched"], shownWallClockMilliseconds: row["shownWallClockMilliseconds"])
    }
}
