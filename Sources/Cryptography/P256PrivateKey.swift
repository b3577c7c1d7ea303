import CMbedTLS
import FixedMemory

/// A private key on the curve P-256, with its public key.
public struct P256PrivateKey: ~Copyable {
    public let publicKey: P256PublicKey
    private var curve: P256Curve
    private var scalar: LargeNumber

    /// Generates a fresh key.
    ///
    /// - Throws: `.noEntropy` if the entropy source fails.
    public init(entropy: Entropy) throws(CryptographyError) {
        var curve = try P256Curve()
        var scalar = LargeNumber()
        publicKey = try curve.generate(&scalar, entropy)
        self.curve = curve
        self.scalar = scalar
    }

    /// Makes the key with this private scalar, 32 bytes big-endian. Entropy blinds the computation of the
    /// public key.
    ///
    /// - Throws: `.invalidPrivateKey` for 0 and for numbers not below the group order.
    public init(scalar bytes: Bytes<32>, entropy: Entropy) throws(CryptographyError) {
        var curve = try P256Curve()
        var scalar = LargeNumber()
        try scalar.read(bytes.span)
        publicKey = try curve.publicKey(of: &scalar, entropy)
        self.curve = curve
        self.scalar = scalar
    }

    /// Returns the private scalar, 32 bytes big-endian.
    public func scalarBytes() throws(CryptographyError) -> Bytes<32> { try scalar.bytes() }

    /// Returns the elliptic-curve Diffie-Hellman secret (SEC 1, 3.3.1): the shared point's x coordinate, 32
    /// bytes big-endian.
    public mutating func sharedSecret(
        with peer: P256PublicKey, entropy: Entropy
    ) throws(CryptographyError) -> Bytes<32> {
        let point = try curve.readPoint(peer.x963)
        return try curve.agree(&scalar, point, entropy)
    }

    /// Returns a deterministic ECDSA signature (RFC 6979) of a SHA-256 digest: r and s, big-endian, 32 bytes
    /// each. Entropy only blinds the computation.
    public mutating func sign(digest: Bytes<32>, entropy: Entropy) throws(CryptographyError) -> Bytes<64> {
        try curve.sign(&scalar, digest: digest, entropy)
    }

    // In the board build another module can destroy this type only if it declares its own deinit. The deinits
    // of its parts do the work.
    deinit {}
}
