import Archive
import BoardTestSupport
import Testing

extension ServedBoard {
    /// Registers the board in an archive that trusts its key.
    func register(in archive: Archive) throws {
        let key = try #require(publicKeys).board
        try archive.register(identity, blockByteCount: Self.blockByteCount)
        let keyring = BoardKeyring(publicKey: key.x963, ownerFingerprint: nil, operatorFingerprint: nil)
        try archive.record(StoredBoardKey(keyring, isVouched: true, shownAt: nil), of: identity)
    }
}
