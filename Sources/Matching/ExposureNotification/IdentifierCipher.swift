import CLibCrypto

/// AES-128 on many blocks under one key after another, with the fastest instructions that the processor has
/// for it.
struct IdentifierCipher: ~Copyable {
    private let context: OpaquePointer

    init() throws(MatchingError) {
        let context = try require(EVP_CIPHER_CTX_new())
        try check(EVP_EncryptInit_ex(context, EVP_aes_128_ecb(), nil, nil, nil))
        try check(EVP_CIPHER_CTX_set_padding(context, 0))
        self.context = context
    }

    /// - Parameter key: 16 bytes.
    /// - Returns: False if libcrypto failed.
    borrowing func encrypt(
        _ blocks: UnsafeRawBufferPointer, to target: UnsafeMutableRawBufferPointer,
        key: UnsafeRawBufferPointer
    ) -> Bool {
        precondition(key.count == 16 && target.count >= blocks.count)
        var written: Int32 = 0
        return EVP_EncryptInit_ex(context, nil, nil, key.bytes, nil) == 1
            && EVP_EncryptUpdate(
                context, target.baseAddress?.assumingMemoryBound(to: UInt8.self), &written, blocks.bytes,
                Int32(blocks.count)) == 1
    }

    deinit { EVP_CIPHER_CTX_free(context) }
}

extension UnsafeRawBufferPointer {
    var bytes: UnsafePointer<UInt8>? { baseAddress?.assumingMemoryBound(to: UInt8.self) }
}
