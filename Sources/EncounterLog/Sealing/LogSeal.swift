import Cryptography
import FixedMemory

/// The keys with which a board seals its log: the public half of the owner key, and the board's own signing
/// key.
public struct LogSeal {
    let ownerKey: P256PublicKey
    let boardScalar: Bytes<32>
    let entropy: Entropy

    /// - Parameters:
    ///   - boardScalar: the private number of the board's key, 32 bytes big-endian.
    ///   - entropy: the system's generator, seeded; the ephemeral keys come from it.
    public init(ownerKey: P256PublicKey, boardScalar: Bytes<32>, entropy: Entropy) {
        self.ownerKey = ownerKey
        self.boardScalar = boardScalar
        self.entropy = entropy
    }
}
