import DeviceSync
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

    /// As the board said it over the cable.
    public init(_ report: BoardKeyReport) {
        self.init(
            publicKey: report.board.x963, openingFingerprint: report.openingFingerprint,
            operatorFingerprint: report.operatorFingerprint)
    }
}

extension Archive {
    /// Keeps what a known board said last.
    public func record(_ keys: BoardKeyring, of board: LogIdentity) throws(ArchiveError) {
        try transaction { database in
            try database.execute(
                sql: "INSERT OR REPLACE INTO boardKey VALUES (?, ?, ?, ?)",
                arguments: [
                    try boardID(board, in: database), Data(copying: keys.publicKey.span),
                    keys.openingFingerprint.map { Data(copying: $0.span) },
                    keys.operatorFingerprint.map { Data(copying: $0.span) },
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
            guard let row, let data: Data = row["publicKey"], let key = Bytes<65>(data) else {
                return nil
            }
            let opening: Data? = row["openingFingerprint"]
            let operating: Data? = row["operatorFingerprint"]
            return BoardKeyring(
                publicKey: key, openingFingerprint: opening.flatMap { Bytes<16>($0) },
                operatorFingerprint: operating.flatMap { Bytes<16>($0) })
        }
    }
}
