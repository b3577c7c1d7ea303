import CMbedTLS
import FixedMemory

/// AES on single blocks (FIPS 197), for schemes that derive identifiers with it. Do not encrypt messages with
/// it.
public struct AESBlockCipher: ~Copyable {
    private var context = mbedtls_aes_context()

    /// - Parameter key: 16, 24 or 32 bytes.
    /// - Throws: `.wrongLength` for any other size.
    public init(key: Span<UInt8>) throws(CryptographyError) {
        mbedtls_aes_init(&context)
        guard isAESKeySize(key.count) else { throw .wrongLength }
        let result = key.withUnsafeBufferPointer {
            mbedtls_aes_setkey_enc(&context, $0.baseAddress, UInt32(truncatingIfNeeded: $0.count * 8))
        }
        try check(result)
    }

    /// Encrypts a block in place.
    public mutating func encrypt(_ block: inout Bytes<16>) throws(CryptographyError) {
        var bytes = block.mutableSpan
        let result = withUnsafeMutablePointer(to: &context) { context in
            // The context holds a pointer into itself, and it has moved since the key was set.
            withUnsafeMutablePointer(to: &context.pointee.buf.0) { context.pointee.rk = $0 }
            return bytes.withUnsafeMutableBufferPointer {
                mbedtls_aes_crypt_ecb(context, MBEDTLS_AES_ENCRYPT, $0.baseAddress, $0.baseAddress)
            }
        }
        try check(result)
    }

    /// Overwrites the context where it is. Call it last.
    public mutating func wipe() { mbedtls_aes_free(&context) }

    // A deinitialiser has only a copy of the context. It frees what the context owns.
    deinit {
        var last = context
        mbedtls_aes_free(&last)
    }
}
