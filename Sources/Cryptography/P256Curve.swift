import CMbedTLS
import FixedMemory

/// The P-256 group as mbedTLS holds it. mbedTLS caches a table for the base point in it, so each key keeps
/// its curve.
struct P256Curve: ~Copyable {
    var group = mbedtls_ecp_group()

    init() throws(CryptographyError) {
        mbedtls_ecp_group_init(&group)
        try check(mbedtls_ecp_group_load(&group, MBEDTLS_ECP_DP_SECP256R1))
    }

    deinit {
        var last = group
        mbedtls_ecp_group_free(&last)
    }

    /// - Throws: `.invalidPublicKey` unless the bytes are a point on the curve.
    mutating func readPoint(_ x963: Bytes<65>) throws(CryptographyError) -> CurvePoint {
        var point = CurvePoint()
        let bytes = x963.span
        let result = bytes.withUnsafeBufferPointer {
            mbedtls_ecp_point_read_binary(&group, &point.value, $0.baseAddress, $0.count)
        }
        guard result != MBEDTLS_ERR_ECP_BAD_INPUT_DATA, result != MBEDTLS_ERR_ECP_FEATURE_UNAVAILABLE else {
            throw .invalidPublicKey
        }
        try check(result)
        // This call refuses the point at infinity, coordinates outside the field, and points off the curve.
        let validity = mbedtls_ecp_check_pubkey(&group, &point.value)
        guard validity != MBEDTLS_ERR_ECP_INVALID_KEY else { throw .invalidPublicKey }
        try check(validity)
        return point
    }

    mutating func generate(
        _ scalar: inout LargeNumber, _ entropy: Entropy
    ) throws(CryptographyError) -> P256PublicKey {
        var point = CurvePoint()
        try check(
            mbedtls_ecdh_gen_public(&group, &scalar.value, &point.value, entropy.fill, entropy.context))
        return try publicKey(point)
    }

    mutating func publicKey(
        of scalar: inout LargeNumber, _ entropy: Entropy
    ) throws(CryptographyError) -> P256PublicKey {
        let validity = mbedtls_ecp_check_privkey(&group, &scalar.value)
        guard validity != MBEDTLS_ERR_ECP_INVALID_KEY else { throw .invalidPrivateKey }
        try check(validity)
        var point = CurvePoint()
        let result = withUnsafeMutablePointer(to: &group) { group in
            mbedtls_ecp_mul(
                group, &point.value, &scalar.value, &group.pointee.G, entropy.fill, entropy.context)
        }
        try check(result)
        return try publicKey(point)
    }

    mutating func agree(
        _ scalar: inout LargeNumber, _ peer: borrowing CurvePoint, _ entropy: Entropy
    ) throws(CryptographyError) -> Bytes<32> {
        var secret = LargeNumber()
        let result = withUnsafePointer(to: peer.value) { peer in
            mbedtls_ecdh_compute_shared(
                &group, &secret.value, peer, &scalar.value, entropy.fill, entropy.context)
        }
        try check(result)
        return try secret.bytes()
    }

    mutating func sign(
        _ scalar: inout LargeNumber, digest: Bytes<32>, _ entropy: Entropy
    ) throws(CryptographyError) -> Bytes<64> {
        var first = LargeNumber()
        var second = LargeNumber()
        let digestBytes = digest.span
        let result = digestBytes.withUnsafeBufferPointer {
            mbedtls_ecdsa_sign_det_ext(
                &group, &first.value, &second.value, &scalar.value, $0.baseAddress, $0.count,
                MBEDTLS_MD_SHA256, entropy.fill, entropy.context)
        }
        try check(result)
        let r = try first.bytes()
        let s = try second.bytes()
        var signature = Bytes<64>()
        for index in 0..<32 {
            signature[index] = r[index]
            signature[32 + index] = s[index]
        }
        return signature
    }

    mutating func verify(
        _ signature: Bytes<64>, digest: Bytes<32>, point: borrowing CurvePoint
    ) throws(CryptographyError) {
        var first = LargeNumber()
        var second = LargeNumber()
        try first.read(signature.span.extracting(0..<32))
        try second.read(signature.span.extracting(32..<64))
        let digest = digest.span
        let result = withUnsafePointer(to: point.value) { point in
            mbedtls_ecdsa_verify(&group, digest.address, digest.count, point, &first.value, &second.value)
        }
        guard result != MBEDTLS_ERR_ECP_VERIFY_FAILED else { throw .authenticationFailed }
        try check(result)
    }

    mutating func publicKey(_ point: borrowing CurvePoint) throws(CryptographyError) -> P256PublicKey {
        var x963 = Bytes<65>()
        var destination = x963.mutableSpan
        var byteCount = 0
        let result = withUnsafePointer(to: point.value) { point in
            destination.withUnsafeMutableBufferPointer {
                mbedtls_ecp_point_write_binary(
                    &group, point, MBEDTLS_ECP_PF_UNCOMPRESSED, &byteCount, $0.baseAddress, $0.count)
            }
        }
        try check(result)
        guard byteCount == 65 else { throw .invalidPublicKey }
        return P256PublicKey(computed: x963)
    }
}

/// A point on the curve, wiped when it is destroyed.
struct CurvePoint: ~Copyable {
    var value = mbedtls_ecp_point()

    init() { mbedtls_ecp_point_init(&value) }

    /// Returns the x coordinate: 32 bytes, big-endian.
    func xCoordinate() throws(CryptographyError) -> Bytes<32> { try LargeNumber.bytes(of: value.X) }

    deinit {
        var last = value
        mbedtls_ecp_point_free(&last)
    }
}

/// An integer of any size, wiped when it is destroyed.
struct LargeNumber: ~Copyable {
    var value = mbedtls_mpi()

    init() { mbedtls_mpi_init(&value) }

    /// Reads a big-endian number.
    mutating func read(_ bytes: Span<UInt8>) throws(CryptographyError) {
        let result = bytes.withUnsafeBufferPointer {
            mbedtls_mpi_read_binary(&value, $0.baseAddress, $0.count)
        }
        try check(result)
    }

    /// Returns the number as 32 bytes, big-endian.
    func bytes() throws(CryptographyError) -> Bytes<32> { try Self.bytes(of: value) }

    static func bytes(of value: mbedtls_mpi) throws(CryptographyError) -> Bytes<32> {
        var bytes = Bytes<32>()
        var destination = bytes.mutableSpan
        let result = withUnsafePointer(to: value) { value in
            destination.withUnsafeMutableBufferPointer {
                mbedtls_mpi_write_binary(value, $0.baseAddress, $0.count)
            }
        }
        try check(result)
        return bytes
    }

    deinit {
        var last = value
        mbedtls_mpi_free(&last)
    }
}
