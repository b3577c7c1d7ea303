import CMbedTLS
import FixedMemory

/// A deterministic ECDSA signature (RFC 6979) of a SHA-256 digest, in slices between other work.
public struct P256SignatureJob: ~Copyable {
    private let digest: Bytes<32>
    private let entropy: Entropy
    private var key: ECDSAContext
    private var slices = P256Slices()
    private var result = DERSignature()

    /// - Parameters:
    ///   - scalar: The private number, 32 bytes big-endian.
    ///   - entropy: Only blinds the computation.
    /// - Throws: `.invalidPrivateKey` for 0 and for numbers not below the group's order.
    public init(digest: Bytes<32>, scalar: Bytes<32>, entropy: Entropy) throws(CryptographyError) {
        var key = try ECDSAContext()
        try key.use(scalar: scalar)
        self.key = key
        self.digest = digest
        self.entropy = entropy
    }

    /// r and s, big-endian, 32 bytes each; nil until the job is done.
    public var signature: Bytes<64>? { result.fixed }

    /// Does one slice; true when ``signature`` is there. After an error the job may go on: what failed is done again.
    ///
    /// - Throws: `.noEntropy` when the source fails.
    @inline(never)  // a symbol, by which its instructions are counted (docs/keys.md)
    public mutating func advance() throws(CryptographyError) -> Bool {
        guard result.count == 0 else { return true }
        let digestBytes = digest.span
        var written = Bytes<72>()
        var destination = written.mutableSpan
        var count = 0
        let code = digestBytes.withUnsafeBufferPointer { digest in
            destination.withUnsafeMutableBufferPointer {
                mbedtls_ecdsa_write_signature_restartable(
                    &key.value, MBEDTLS_MD_SHA256, digest.baseAddress, digest.count, $0.baseAddress, &count,
                    entropy.fill, entropy.context,
                    tabard_slice_of_signing(&slices.value, P256Slices.operationsPerSlice))
            }
        }
        guard try P256Slices.isDone(code) else { return false }
        result.bytes = written
        result.count = count
        return true
    }

    // On a board another module can only end what says here how it ends; the parts do the work.
    @inline(never)
    deinit {}
}
