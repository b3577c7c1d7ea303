import CMbedTLS
import FixedMemory

/// AES in counter mode (NIST SP 800-38A). The same operation encrypts and decrypts.
public enum AESCTR {
    /// - Parameters:
    ///   - key: 16, 24 or 32 bytes.
    ///   - counter: The first counter block; all 16 bytes count as one big-endian number.
    /// - Throws: `.wrongLength` for any other key size.
    public static func apply(
        to text: inout MutableSpan<UInt8>, key: Span<UInt8>, counter: Bytes<16>
    ) throws(CryptographyError) {
        guard isAESKeySize(key.count) else { throw .wrongLength }
        var context = mbedtls_aes_context()
        var counter = counter
        var counterBytes = counter.mutableSpan
        var keyStream = Bytes<16>()
        var keyStreamBytes = keyStream.mutableSpan
        // The context holds a pointer into itself, so it must not move between the calls.
        let result = withUnsafeMutablePointer(to: &context) { context in
            text.withUnsafeMutableBufferPointer { text in
                key.withUnsafeBufferPointer { key in
                    counterBytes.withUnsafeMutableBufferPointer { counter in
                        keyStreamBytes.withUnsafeMutableBufferPointer { keyStream in
                            mbedtls_aes_init(context)
                            defer { mbedtls_aes_free(context) }
                            let result = mbedtls_aes_setkey_enc(
                                context, key.baseAddress, UInt32(truncatingIfNeeded: key.count * 8))
                            guard result == 0 else { return result }
                            var offset = 0
                            return mbedtls_aes_crypt_ctr(
                                context, text.count, &offset, counter.baseAddress, keyStream.baseAddress,
                                text.baseAddress, text.baseAddress)
                        }
                    }
                }
            }
        }
        try check(result)
    }
}
