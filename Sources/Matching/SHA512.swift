import CLibCrypto
import FixedMemory

/// SHA-512, for signatures by a key of P-256.
public enum SHA512 {
    /// The first 32 of the digest's 64 bytes: ECDSA uses no more than the curve has (FIPS 186-5, 6.4.1).
    public static func leadingDigest(of bytes: [UInt8]) -> Bytes<32> {
        var digest = [UInt8](repeating: 0, count: Int(SHA512_DIGEST_LENGTH))
        _ = CLibCrypto.SHA512(bytes, bytes.count, &digest)
        return Bytes<32>(digest.span.extracting(0..<32)) ?? Bytes()
    }
}
