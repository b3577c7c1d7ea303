import CLibCrypto

/// A SHA-256 digest of 32 bytes in their order in memory.
typealias SHA256Digest = SIMD4<UInt64>

extension SHA256Digest {
    init(of message: UnsafeRawBufferPointer) {
        var hash = SHA256_CTX()
        SHA256_Init(&hash)
        SHA256_Update(&hash, message.baseAddress, message.count)
        self.init(finishing: &hash)
    }

    init(finishing hash: inout SHA256_CTX) {
        self.init()
        Swift.withUnsafeMutableBytes(of: &self) { digest in
            _ = SHA256_Final(digest.baseAddress?.assumingMemoryBound(to: UInt8.self), &hash)
        }
    }
}

/// HMAC-SHA-256 (RFC 2104) under one key, for many short messages: the key's own blocks are hashed only once.
struct KeyedSHA256 {
    private var inner = SHA256_CTX()
    private var outer = SHA256_CTX()

    /// - Parameter key: At most 64 bytes; bytes beyond the first 64 are ignored.
    init(key: UnsafeRawBufferPointer) {
        Self.start(&inner, key, mask: 0x36)
        Self.start(&outer, key, mask: 0x5c)
    }

    func code(of message: UnsafeRawBufferPointer) -> SHA256Digest {
        var hash = inner
        SHA256_Update(&hash, message.baseAddress, message.count)
        let digest = SHA256Digest(finishing: &hash)
        hash = outer
        withUnsafeBytes(of: digest) { _ = SHA256_Update(&hash, $0.baseAddress, $0.count) }
        return SHA256Digest(finishing: &hash)
    }

    private static func start(_ hash: inout SHA256_CTX, _ key: UnsafeRawBufferPointer, mask: UInt8) {
        var block = SIMD8<UInt64>()
        withUnsafeMutableBytes(of: &block) {
            $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: key.prefix(64)))
        }
        block ^= SIMD8(repeating: UInt64(mask) &* 0x0101_0101_0101_0101)
        SHA256_Init(&hash)
        withUnsafeBytes(of: block) { _ = SHA256_Update(&hash, $0.baseAddress, $0.count) }
    }
}
