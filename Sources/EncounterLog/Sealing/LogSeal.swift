import Cryptography
import FixedMemory

/// What a board seals its log with: the public half of the owner's opening key, and the board's own key, which signs.
///
/// For each epoch it makes an ephemeral key, agrees with the opening key upon a secret, and forgets the ephemeral key: from
/// then on only the opening key can come by that secret. That takes long, so it is prepared ahead.
public struct LogSeal: ~Copyable {
    /// An epoch that can begin.
    struct Prepared {
        var seal: EpochSeal
        var secret: Bytes<32>
    }

    private let openingKey: P256PublicKey
    private let openingKeyFingerprint: Bytes<16>
    private var boardKey: P256PrivateKey
    private let entropy: Entropy
    private var prepared: Prepared?

    public init(openingKey: P256PublicKey, boardKey: consuming P256PrivateKey, entropy: Entropy) {
        self.openingKey = openingKey
        openingKeyFingerprint = openingKey.fingerprint
        self.boardKey = boardKey
        self.entropy = entropy
    }

    /// Makes the next epoch ready, if none is.
    ///
    /// - Parameter head: how far the log goes now; the signature says so too.
    mutating func prepare(
        logIdentity: Bytes<16>, bootIdentifier: UInt64, head: LogHead
    ) throws(CryptographyError) {
        guard prepared == nil else { return }
        var ephemeral = try P256PrivateKey(entropy: entropy)
        let secret = try ephemeral.sharedSecret(with: openingKey, entropy: entropy)
        let ephemeralKey = Bytes<64>(ephemeral.publicKey.x963.span.extracting(1..<65)) ?? Bytes()
        var seal = EpochSeal(
            openingKeyFingerprint: openingKeyFingerprint, ephemeralKey: ephemeralKey,
            signedThrough: head.position, chainValue: head.chainValue)
        seal.signature = try boardKey.sign(
            digest: seal.signedDigest(logIdentity: logIdentity, bootIdentifier: bootIdentifier),
            entropy: entropy)
        prepared = Prepared(seal: seal, secret: secret)
    }

    /// The prepared epoch, once.
    mutating func takePrepared() -> Prepared? {
        defer { prepared = nil }
        return prepared
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
