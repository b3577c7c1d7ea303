import Cryptography
import FixedMemory

/// What a board seals its log with: the public half of the owner's opening key, and the board's own key, which signs.
public struct LogSeal {
    let openingKey: P256PublicKey
    let boardScalar: Bytes<32>
    let entropy: Entropy

    /// - Parameters:
    ///   - boardScalar: the private number of the board's key, 32 bytes big-endian.
    ///   - entropy: the system's generator, ready: the ephemeral keys come from it.
    public init(openingKey: P256PublicKey, boardScalar: Bytes<32>, entropy: Entropy) {
        self.openingKey = openingKey
        self.boardScalar = boardScalar
        self.entropy = entropy
    }
}
