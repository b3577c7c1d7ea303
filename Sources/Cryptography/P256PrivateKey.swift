import CMbedTLS
import FixedMemory

/// A private key of the curve P-256, with its public key.
public struct P256PrivateKey: ~Copyable {
    public let publicKey: P256PublicKey
    private var curve: P256Curve
    private var scalar: LargeNumber

    /// A fresh key.
    ///
    /// - Throws: `.noEntropy` when the source fails.
    public init(entropy: Entropy) throws(CryptographyError) {
        var curve = try P256Curve()
        var scalar = LargeNumber()
        publicKey = try curve.generate(&scalar, entropy)
        self.curve = curve
        self.scalar = scalar
    }

    /// The key with this number, 32 bytes big-endian. Entropy blinds the computation of the public key.
    ///
    /// - Throws: `.invalidPrivateKey` for 0 and for numbers not below the group's order.
    public init(scalar bytes: Bytes<32>, entropy: Entropy) throws(CryptographyError) {
        var curve = try P256Curve()
        var scalar = LargeNumber()
        try scalar.read(bytes.span)
        publicKey = try curve.publicKey(of: &scalar, entropy)
        self.curve = curve
        self.scalar = scalar
    }

    /// The private number, 32 bytes big-endian.
    public func scalarBytes() throws(CryptographyError) -> Bytes<32> { try scalar.bytes() }

    /// Elliptic-curve Diffie-Hellman (SEC 1, 3.3.1): the x coordinate of the shared point, 32 bytes big-endian.
    public mutating func sharedSecret(
        with peer: P256PublicKey, entropy: Entropy
    ) throws(CryptographyError) -> Bytes<32> {
        let point = try curve.readPoint(peer.x963)
        return try curve.agree(&scalar, point, entropy)
    }

    /// A deterministic ECDSA signature (RFC 6979) of a SHA-256 digest: r and s, big-endian, 32 bytes each.
    /// Entropy only blinds the computation.
    public mutating func sign(digest: Bytes<32>, entropy: Entropy) throws(CryptographyError) -> Bytes<64> {
        try curve.sign(&scalar, digest: digest, entropy)
    }

    // On a board another module can only end what says here how it ends; the parts do the work.
    deinit {}
}
