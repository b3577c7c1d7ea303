import CMbedTLS
import FixedMemory

/// A job that makes a deterministic ECDSA signature (RFC 6979) of a SHA-256 digest in slices between other
/// work.
public struct P256SignatureJob: ~Copyable {
    private let digest: Bytes<32>
    private let entropy: Entropy
    private var key: ECDSAContext
    private var slices = P256Slices()
    private var result = DERSignature()

    /// - Parameters:
    ///   - scalar: The private scalar, 32 bytes big-endian.
    ///   - entropy: It only blinds the computation.
    /// - Throws: `.invalidPrivateKey` for 0 and for numbers not below the group order.
    public init(digest: Bytes<32>, scalar: Bytes<32>, entropy: Entropy) throws(CryptographyError) {
        var key = try ECDSAContext()
        try key.use(scalar: scalar)
        self.key = key
        self.digest = digest
        self.entropy = entropy
    }

    /// r and s, big-endian, 32 bytes each; nil until the job is done.
    public var signature: Bytes<64>? { result.fixed }

    /// Computes one slice; returns true when ``signature`` has the result. After an error, call it again to
    /// repeat the failed step.
    ///
    /// - Throws: `.noEntropy` if the entropy source fails.
    @inline(never)  // stays a symbol so that its instructions can be counted (docs/keys.md)
    public mutating func advance() throws(CryptographyError) -> Bool {
        guard result.count == 0 else { return true }
        let digestBytes = digest.span
        var written = Bytes<72>()
        var destination = written.mutableSpan
        var count = 0
        let code = destination.withUnsafeMutableBufferPointer {
            mbedtls_ecdsa_write_signature_restartable(
                &key.value, MBEDTLS_MD_SHA256, digestBytes.address, digestBytes.count, $0.baseAddress,
                &count, entropy.fill, entropy.context,
                tabard_slice_of_signing(&slices.value, P256Slices.operationsPerSlice))
        }
        guard try P256Slices.isDone(code) else { return false }
        result.bytes = written
        result.count = count
        return true
    }

    // In the board build another module can destroy this type only if it declares its own deinit. The deinits
    // of its parts do the work.
    @inline(never)
    deinit {}
}
