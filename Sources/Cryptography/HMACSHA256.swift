import CMbedTLS
import FixedMemory

/// HMAC with SHA-256 (RFC 2104) over a message given in parts.
public struct HMACSHA256: ~Copyable {
    private var context = mbedtls_md_context_t()

    /// - Throws: `.mbedTLS` if mbedTLS has no memory left.
    public init(key: Span<UInt8>) throws(CryptographyError) {
        mbedtls_md_init(&context)
        try check(mbedtls_md_setup(&context, mbedtls_md_info_from_type(MBEDTLS_MD_SHA256), 1))
        try check(mbedtls_md_hmac_starts(&context, key.address, key.count))
    }

    public mutating func update(_ bytes: Span<UInt8>) throws(CryptographyError) {
        try check(mbedtls_md_hmac_update(&context, bytes.address, bytes.count))
    }

    /// Returns the code of everything since the start, then starts again with the same key. Compare codes
    /// with `==` of `Bytes`, which runs in constant time.
    public mutating func finish() throws(CryptographyError) -> Bytes<32> {
        let code = try end()
        try check(mbedtls_md_hmac_reset(&context))
        return code
    }

    public static func code(of message: Span<UInt8>, key: Span<UInt8>) throws(CryptographyError) -> Bytes<32>
    {
        var hmac = try HMACSHA256(key: key)
        try hmac.update(message)
        return try hmac.end()
    }

    private mutating func end() throws(CryptographyError) -> Bytes<32> {
        var code = Bytes<32>()
        var destination = code.mutableSpan
        let result = destination.withUnsafeMutableBufferPointer {
            mbedtls_md_hmac_finish(&context, $0.baseAddress)
        }
        try check(result)
        return code
    }

    deinit {
        var last = context
        mbedtls_md_free(&last)
    }
}
