import FixedMemory
import Foundation
import GRDB
import LogContents

/// A statement that a board signed about its log, byte for byte: a `LogStatement` of DeviceSync.
public struct StoredManifest: Equatable, Sendable {
    public let statement: [UInt8]
    /// The signature over SHA-256("tabard manifest 1" ‖ statement): r and s, big-endian.
    public let signature: Bytes<64>
    /// The public half of the signing key: X9.63, uncompressed.
    public let boardKey: Bytes<65>
    /// When it was received, by this computer's clock, since 1970 UTC.
    public let receivedAt: WallClockTime

    public init(
        statement: [UInt8], signature: Bytes<64>, boardKey: Bytes<65>, receivedAt: WallClockTime
    ) {
        self.statement = statement
        self.signature = signature
        self.boardKey = boardKey
        self.receivedAt = receivedAt
    }
}

extension Archive {
    /// Stores a manifest of a registered board beside its earlier ones. Storing the same manifest again has
    /// no effect.
    public func record(_ manifest: StoredManifest, of board: LogIdentity) throws(ArchiveError) {
        try transaction { try record(manifest, of: board, in: $0) }
    }

    func record(_ manifest: StoredManifest, of board: LogIdentity, in database: Database) throws {
        try database.execute(
            sql: """
                INSERT OR IGNORE INTO manifest
                    (boardID, receivedWallClockMilliseconds, statement, signature, publicKey)
                VALUES (?, ?, ?, ?, ?)
                """,
            arguments: [
                try boardID(board, in: database), manifest.receivedAt,
                Data(manifest.statement), Data(copying: manifest.signature.span),
                Data(copying: manifest.boardKey.span),
            ])
    }

    /// The board's manifests in the order of their arrival; empty if it never sent one.
    public func manifests(of board: LogIdentity) throws(ArchiveError) -> [StoredManifest] {
        try reading { try manifests(of: board, in: $0) }
    }

    func manifests(of board: LogIdentity, in database: Database) throws -> [StoredManifest] {
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT manifest.* FROM manifest JOIN board ON boardID = board.id
                WHERE logIdentity = ? ORDER BY manifest.rowid
                """, arguments: [board.blob])
        return rows.compactMap(StoredManifest.init)
    }
}

extension StoredManifest {
    fileprivate init?(row: Row) {
        let statement: Data = row["statement"]
        let signature: Data = row["signature"]
        let boardKey: Data = row["publicKey"]
        guard let signature = Bytes<64>(signature),
            let boardKey = Bytes<65>(boardKey)
        else { return nil }
        self.init(
            statement: [UInt8](statement), signature: signature, boardKey: boardKey,
            receivedAt: row["receivedWallClockMilliseconds"])
    }
}
