import CLibCrypto
import Cryptography
import FixedMemory
import Schemes

/// The libcrypto functions that decrypt payloads and check their codes, with one cipher context for all
/// payloads.
struct LibcryptoPrimitives: SonarPrimitives, ~Copyable {
    private let cipher: OpaquePointer

    init() throws(MatchingError) {
        let cipher = try require(EVP_CIPHER_CTX_new())
        guard EVP_DecryptInit_ex(cipher, EVP_aes_128_gcm(), nil, nil, nil) == 1,
            EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_SET_IVLEN, 16, nil) == 1
        else {
            EVP_CIPHER_CTX_free(cipher)
            throw .libcrypto
        }
        self.cipher = cipher
    }

    /// Derives one block of 32 bytes: SHA-256 of the secret, the number 1 in 32 bits, and the ephemeral key.
    func derive(from agreement: P256Agreement) -> Bytes<32> {
        var hash = SHA256_CTX()
        SHA256_Init(&hash)
        withUnsafeBytes(of: agreement.secret) { _ = SHA256_Update(&hash, $0.baseAddress, $0.count) }
        withUnsafeBytes(of: UInt32(1).bigEndian) { _ = SHA256_Update(&hash, $0.baseAddress, $0.count) }
        withUnsafeBytes(of: agreement.ephemeralKey) { _ = SHA256_Update(&hash, $0.baseAddress, $0.count) }
        let derived = SHA256Digest(finishing: &hash)
        // The context may still hold the last block, which contains the secret.
        withUnsafeMutableBytes(of: &hash) { OPENSSL_cleanse($0.baseAddress, $0.count) }
        return unsafeBitCast(derived, to: Bytes<32>.self)
    }

    func open(_ text: inout Bytes<26>, tag: Bytes<16>, by keys: SonarSealingKeys) throws(SonarRefusal) {
        let isReady = withUnsafeBytes(of: keys.key) { key in
            withUnsafeBytes(of: keys.nonce) { nonce in
                EVP_DecryptInit_ex(cipher, nil, nil, key.bytes, nonce.bytes) == 1
            }
        }
        guard isReady else { throw .cryptography }
        var (tag, written, rest) = (tag, Int32(0), Bytes<16>())
        let isOpen = withUnsafeMutableBytes(of: &text) { text in
            withUnsafeMutableBytes(of: &tag) { tag in
                withUnsafeMutableBytes(of: &rest) { rest in
                    EVP_DecryptUpdate(cipher, text.bytes, &written, text.bytes, Int32(text.count)) == 1
                        && EVP_CIPHER_CTX_ctrl(
                            cipher, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count), tag.baseAddress) == 1
                        && EVP_DecryptFinal_ex(cipher, rest.bytes, &written) == 1
                }
            }
        }
        guard isOpen else {
            text.wipe()
            ERR_clear_error()
            throw .authenticationFailure
        }
    }

    func code(of message: Span<UInt8>, secret: Bytes<32>) throws(SonarRefusal) -> Bytes<32> {
        let hash = withUnsafeBytes(of: secret) { KeyedSHA256(key: $0) }
        let code = message.withUnsafeBytes { hash.code(of: $0) }
        return unsafeBitCast(code, to: Bytes<32>.self)
    }

    deinit { EVP_CIPHER_CTX_free(cipher) }
}

extension UnsafeMutableRawBufferPointer {
    var bytes: UnsafeMutablePointer<UInt8>? { baseAddress?.assumingMemoryBound(to: UInt8.self) }
}
