import CMbedTLS
import FixedMemory

/// HKDF with SHA-256 (RFC 5869).
public enum HKDFSHA256 {
    /// Fills `key` with output derived from the secret. Salt and info may be empty.
    ///
    /// - Throws: `.wrongLength` if `key` is longer than 8160 bytes.
    public static func derive(
        _ key: inout MutableSpan<UInt8>, from secret: Span<UInt8>, salt: Span<UInt8>, info: Span<UInt8>
    ) throws(CryptographyError) {
        guard key.count <= 255 * SHA256.byteCount else { throw .wrongLength }
        let result = key.withUnsafeMutableBufferPointer { key in
            mbedtls_hkdf(
                mbedtls_md_info_from_type(MBEDTLS_MD_SHA256), salt.address, salt.count, secret.address,
                secret.count, info.address, info.count, key.baseAddress, key.count)
        }
        try check(result)
    }
}

/// The key derivation of ANSI X9.63 (SEC 1, 3.6.1) with SHA-256.
public enum X963SHA256 {
    /// Fills `key` block by block with SHA-256(secret ‖ counter ‖ info); the counter has 32 bits, big-endian,
    /// from 1.
    public static func derive(_ key: inout MutableSpan<UInt8>, from secret: Span<UInt8>, info: Span<UInt8>) {
        var hash = SHA256()
        var counter: UInt32 = 1
        var offset = 0
        while offset < key.count {
            hash.update(secret)
            var counterBytes = Bytes<4>()
            for index in 0..<4 {
                counterBytes[index] = UInt8(truncatingIfNeeded: counter >> UInt32(24 - 8 * index))
            }
            hash.update(counterBytes.span)
            hash.update(info)
            let block = hash.finish()
            for index in 0..<min(SHA256.byteCount, key.count - offset) { key[offset + index] = block[index] }
            offset += SHA256.byteCount
            counter &+= 1
        }
        hash.wipe()
    }
}
