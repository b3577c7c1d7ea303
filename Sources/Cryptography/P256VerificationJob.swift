import CMbedTLS
import FixedMemory

/// A job that verifies an ECDSA signature (FIPS 186-4) of a SHA-256 digest in slices between other work.
public struct P256VerificationJob: ~Copyable {
    private let digest: Bytes<32>
    private let signature: DERSignature
    private var key: ECDSAContext
    private var slices = P256Slices()
    private var isDone = false

    /// - Parameter signature: r and s, big-endian, 32 bytes each.
    public init(
        signature: Bytes<64>, digest: Bytes<32>, publicKey: P256PublicKey
    ) throws(CryptographyError) {
        var key = try ECDSAContext()
        try key.use(publicKey)
        self.key = key
        self.digest = digest
        self.signature = DERSignature(signature)
    }

    /// Computes one slice; returns true once the signature is verified.
    ///
    /// - Throws: `.authenticationFailed` if the signature is not this key's signature of this digest.
    @inline(never)  // stays a symbol so that its instructions can be counted (docs/keys.md)
    public mutating func advance() throws(CryptographyError) -> Bool {
        guard !isDone else { return true }
        let digestBytes = digest.span
        let signatureBytes = signature.bytes.span
        let code = mbedtls_ecdsa_read_signature_restartable(
            &key.value, digestBytes.address, digestBytes.count, signatureBytes.address, signature.count,
            tabard_slice_of_signing(&slices.value, P256Slices.operationsPerSlice))
        guard code != MBEDTLS_ERR_ECP_VERIFY_FAILED else { throw .authenticationFailed }
        isDone = try P256Slices.isDone(code)
        return isDone
    }

    // In the board build another module can destroy this type only if it declares its own deinit. The deinits
    // of its parts do the work.
    @inline(never)
    deinit {}
}
