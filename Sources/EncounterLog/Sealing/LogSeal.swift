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

    /// The same with the board's key as a whole.
    public init(openingKey: P256PublicKey, boardKey: consuming P256PrivateKey, entropy: Entropy) {
        // A key that does not even fit its own size signs nothing: zero is no private number.
        self.init(
            openingKey: openingKey, boardScalar: (try? boardKey.scalarBytes()) ?? Bytes(), entropy: entropy)
    }
}

/// How far a log goes: the end of its last page, and the chain's value there.
public struct LogHead: Equatable, BitwiseCopyable, Sendable {
    public var position: LogPosition
    public var chainValue: Bytes<16>

    public init(position: LogPosition = .start, chainValue: Bytes<16> = Bytes()) {
        self.position = position
        self.chainValue = chainValue
    }
}
