import CMbedTLS
import FixedMemory

/// The curve with a private scalar or a public point, in the form mbedTLS's ECDSA needs. It is wiped when it
/// is destroyed.
struct ECDSAContext: ~Copyable {
    var value = mbedtls_ecdsa_context()

    init() throws(CryptographyError) {
        mbedtls_ecdsa_init(&value)
        try check(mbedtls_ecp_group_load(&value.grp, MBEDTLS_ECP_DP_SECP256R1))
    }

    /// - Throws: `.invalidPrivateKey` for 0 and for numbers not below the group order.
    mutating func use(scalar: Bytes<32>) throws(CryptographyError) {
        let bytes = scalar.span
        let result = bytes.withUnsafeBufferPointer {
            mbedtls_mpi_read_binary(&value.d, $0.baseAddress, $0.count)
        }
        try check(result)
        let validity = mbedtls_ecp_check_privkey(&value.grp, &value.d)
        guard validity != MBEDTLS_ERR_ECP_INVALID_KEY else { throw .invalidPrivateKey }
        try check(validity)
    }

    /// Loads the public point. It needs no check here because ``P256PublicKey`` checked it.
    mutating func use(_ publicKey: P256PublicKey) throws(CryptographyError) {
        let bytes = publicKey.x963.span
        let result = bytes.withUnsafeBufferPointer {
            mbedtls_ecp_point_read_binary(&value.grp, &value.Q, $0.baseAddress, $0.count)
        }
        try check(result)
    }

    deinit {
        var last = value
        mbedtls_ecdsa_free(&last)
    }
}
