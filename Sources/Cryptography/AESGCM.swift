import CMbedTLS
import FixedMemory

/// AES in Galois/counter mode (NIST SP 800-38D) with 16-byte tags, for one key.
public struct AESGCM: ~Copyable {
    private var context = mbedtls_gcm_context()

    /// - Parameter key: 16, 24 or 32 bytes.
    /// - Throws: `.wrongLength` for any other size.
    public init(key: Span<UInt8>) throws(CryptographyError) {
        mbedtls_gcm_init(&context)
        guard isAESKeySize(key.count) else { throw .wrongLength }
        let result = key.withUnsafeBufferPointer {
            mbedtls_gcm_setkey(
                &context, MBEDTLS_CIPHER_ID_AES, $0.baseAddress, UInt32(truncatingIfNeeded: $0.count * 8))
        }
        try check(result)
    }

    /// Encrypts `text` in place and returns the tag.
    ///
    /// - Parameter nonce: Never use a nonce twice with the same key. 12 bytes are usual; other sizes from 1
    ///   byte up (Sonar: 16) are hashed first.
    public mutating func seal(
        _ text: inout MutableSpan<UInt8>, nonce: Span<UInt8>, authenticating additional: Span<UInt8>
    ) throws(CryptographyError) -> Bytes<16> {
        guard nonce.count > 0 else { throw .wrongLength }
        var tag = Bytes<16>()
        var tagBytes = tag.mutableSpan
        let result = text.withUnsafeMutableBufferPointer { text in
            tagBytes.withUnsafeMutableBufferPointer { tag in
                mbedtls_gcm_crypt_and_tag(
                    &context, MBEDTLS_GCM_ENCRYPT, text.count, nonce.address, nonce.count,
                    additional.address, additional.count, text.baseAddress, text.baseAddress, tag.count,
                    tag.baseAddress)
            }
        }
        try check(result)
        return tag
    }

    /// Decrypts `text` in place.
    ///
    /// - Throws: `.authenticationFailed` if the tag does not match; `text` is then all zero.
    public mutating func open(
        _ text: inout MutableSpan<UInt8>, tag: Bytes<16>, nonce: Span<UInt8>,
        authenticating additional: Span<UInt8>
    ) throws(CryptographyError) {
        guard nonce.count > 0 else { throw .wrongLength }
        let tagBytes = tag.span
        let result = text.withUnsafeMutableBufferPointer { text in
            mbedtls_gcm_auth_decrypt(
                &context, text.count, nonce.address, nonce.count, additional.address, additional.count,
                tagBytes.address, tagBytes.count, text.baseAddress, text.baseAddress)
        }
        guard result != MBEDTLS_ERR_GCM_AUTH_FAILED else { throw .authenticationFailed }
        try check(result)
    }

    /// Overwrites the context where it is. Call it last.
    public mutating func wipe() { mbedtls_gcm_free(&context) }

    // A deinitialiser has only a copy of the context. It frees what the context owns.
    deinit {
        var last = context
        mbedtls_gcm_free(&last)
    }
}

func isAESKeySize(_ byteCount: Int) -> Bool { byteCount == 16 || byteCount == 24 || byteCount == 32 }
