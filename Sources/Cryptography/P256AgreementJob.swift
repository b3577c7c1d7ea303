import CMbedTLS
import FixedMemory

/// The result of a key agreement: the fresh key's public half, for the peer, and the secret that both ends
/// share.
public struct P256Agreement: BitwiseCopyable, Sendable {
    /// The fresh key's public half, X9.63, uncompressed.
    public let ephemeralKey: Bytes<65>
    /// The x coordinate of the shared point, big-endian (SEC 1, 3.3.1). Derive keys from it, then ``wipe()``.
    public private(set) var secret: Bytes<32>

    /// Wraps the result of an agreement that was computed elsewhere.
    public init(ephemeralKey: Bytes<65>, secret: Bytes<32>) {
        self.ephemeralKey = ephemeralKey
        self.secret = secret
    }

    public mutating func wipe() { secret.wipe() }
}

/// An elliptic-curve Diffie-Hellman agreement of a fresh key with a given public key, computed in slices
/// between other work.
public struct P256AgreementJob: ~Copyable {
    private enum Stage { case scalar, ephemeralKey, secret, done }

    private let entropy: Entropy
    private var stage = Stage.scalar
    private var curve: P256Curve
    private var peer: CurvePoint
    private var scalar = LargeNumber()
    private var ephemeral = CurvePoint()
    private var shared = CurvePoint()
    private var slices = P256Slices()

    public init(with peer: P256PublicKey, entropy: Entropy) throws(CryptographyError) {
        var curve = try P256Curve()
        self.peer = try curve.readPoint(peer.x963)
        self.curve = curve
        self.entropy = entropy
    }

    /// Uses a known private scalar instead of a fresh one: ``sharedSecret()`` has the result. Call it first.
    ///
    /// - Parameter bytes: The scalar, 32 bytes, big-endian.
    public mutating func use(scalar bytes: Bytes<32>) throws(CryptographyError) {
        try scalar.read(bytes.span)
        stage = .secret
    }

    /// Computes one slice; returns true when ``agreement()`` has the result. After an error, call it again to
    /// repeat the failed step.
    ///
    /// - Throws: `.noEntropy` if the entropy source fails.
    @inline(never)  // stays a symbol so that its instructions can be counted (docs/keys.md)
    public mutating func advance() throws(CryptographyError) -> Bool {
        switch stage {
        case .scalar:
            try check(
                mbedtls_ecp_gen_privkey(&curve.group, &scalar.value, entropy.fill, entropy.context))
            stage = .ephemeralKey
        case .ephemeralKey:
            if try multiplyBase() { stage = .secret }
        case .secret:
            if try multiplyPeer() {
                scalar = LargeNumber()  // frees, and so wipes, the old number
                stage = .done
            }
        case .done: break
        }
        return stage == .done
    }

    /// Returns the result; nil until the job is done.
    @inline(never)
    public mutating func agreement() throws(CryptographyError) -> P256Agreement? {
        guard stage == .done else { return nil }
        return P256Agreement(
            ephemeralKey: try curve.publicKey(ephemeral).x963, secret: try shared.xCoordinate())
    }

    /// Returns the x coordinate of the shared point, big-endian; nil until the job is done.
    @inline(never)
    public mutating func sharedSecret() throws(CryptographyError) -> Bytes<32>? {
        guard stage == .done else { return nil }
        return try shared.xCoordinate()
    }

    private mutating func multiplyBase() throws(CryptographyError) -> Bool {
        let result = withUnsafeMutablePointer(to: &curve.group) { group in
            mbedtls_ecp_mul_restartable(
                group, &ephemeral.value, &scalar.value, &group.pointee.G, entropy.fill, entropy.context,
                tabard_slice_of_multiplying(&slices.value, P256Slices.operationsPerSlice))
        }
        return try P256Slices.isDone(result)
    }

    private mutating func multiplyPeer() throws(CryptographyError) -> Bool {
        let result = mbedtls_ecp_mul_restartable(
            &curve.group, &shared.value, &scalar.value, &peer.value, entropy.fill, entropy.context,
            tabard_slice_of_multiplying(&slices.value, P256Slices.operationsPerSlice))
        return try P256Slices.isDone(result)
    }

    // In the board build another module can destroy this type only if it declares its own deinit. The deinits
    // of its parts do the work.
    deinit {}
}
