import Cryptography
import DeviceSync
import EncounterLog
import FixedMemory

/// A board's keys: its own pair, and the public halves of owner key and operator key (docs/keys.md).
public struct BoardKeys: BitwiseCopyable, Equatable, Sendable {
    /// The private number of the board's own key, 32 bytes big-endian. It never leaves the board.
    public let boardScalar: Bytes<32>
    public var publicHalves: BoardPublicKeys

    /// A fresh pair, and no other key yet.
    ///
    /// - Throws: `.noEntropy` when the source fails.
    public init(entropy: Entropy) throws(CryptographyError) {
        let pair = try P256PrivateKey(entropy: entropy)
        boardScalar = try pair.scalarBytes()
        publicHalves = BoardPublicKeys(board: pair.publicKey)
    }

    /// - Throws: `.invalidPrivateKey` if the number is not a private key of P-256.
    public init(
        boardScalar: Bytes<32>, ownerKey: P256PublicKey?, operatorKey: P256PublicKey?, entropy: Entropy
    ) throws(CryptographyError) {
        let pair = try P256PrivateKey(scalar: boardScalar, entropy: entropy)
        self.boardScalar = boardScalar
        publicHalves = BoardPublicKeys(board: pair.publicKey, ownerKey: ownerKey, operatorKey: operatorKey)
    }

    /// The seal for the log; nil without an owner key.
    public func logSeal(entropy: Entropy) -> LogSeal? {
        guard let ownerKey = publicHalves.ownerKey else { return nil }
        return LogSeal(
            ownerKey: ownerKey, boardScalar: boardScalar, boardKey: publicHalves.board, entropy: entropy)
    }
}
