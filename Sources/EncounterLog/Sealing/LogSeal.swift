import Cryptography
import FixedMemory

/// The keys with which a board seals its log: the public half of the owner key, and the board's own signing
/// key.
public struct LogSeal {
    let ownerKey: P256PublicKey
    let boardScalar: Bytes<32>
    let boardKey: P256PublicKey?
    let entropy: Entropy

    /// - Parameters:
    ///   - boardScalar: the private number of the board's key, 32 bytes big-endian.
    ///   - boardKey: its public half, with which mounting tells the board's own pages from others; if nil,
    ///     mounting believes all pages.
    ///   - entropy: the system's generator, seeded; the ephemeral keys come from it.
    public init(
        ownerKey: P256PublicKey, boardScalar: Bytes<32>, boardKey: P256PublicKey? = nil, entropy: Entropy
    ) {
        self.ownerKey = ownerKey
        self.boardKey = boardKey
        self.boardScalar = boardScalar
        self.entropy = entropy
    }
}
