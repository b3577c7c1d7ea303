import FixedMemory
import Foundation
import GRDB

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
}

extension Archive {
    /// Keeps what a known board said last.
    public func record(_ keys: BoardKeyring, of board: LogIdentity) throws(ArchiveError) {
        try transaction { database in
            try database.execute(
                sql: "INSERT OR REPLACE INTO boardKey VALUES (?, ?, ?, ?)",
                arguments: [
                    try boardID(board, in: database), Data(keys.publicKey),
                    keys.openingFingerprint.map { Data($0) },
                    keys.operatorFingerprint.map { Data($0) },
                ])
        }
    }

    /// Nil for a board that was never provisioned from here.
    public func keys(of board: LogIdentity) throws(ArchiveError) -> BoardKeyring? {
        try reading { database in
            let row = try Row.fetchOne(
                database,
                sql: """
                    SELECT boardKey.* FROM boardKey JOIN board ON boardID = board.id WHERE logIdentity = ?
                    """,
                arguments: [board.blob])
            guard let row, let data: Data = row["publicKey"], let key = Bytes<65>([UInt8](data).span) else {
                return nil
            }
            let opening: Data? = row["openingFingerprint"]
            let operating: Data? = row["operatorFingerprint"]
            return BoardKeyring(
                publicKey: key, openingFingerprint: opening.flatMap { Bytes<16>([UInt8]($0).span) },
                operatorFingerprint: operating.flatMap { Bytes<16>([UInt8]($0).span) })
        }
    }
}

extension Data {
    fileprivate init<let count: Int>(_ bytes: Bytes<count>) { self.init((0..<count).map { bytes[$0] }) }
}
