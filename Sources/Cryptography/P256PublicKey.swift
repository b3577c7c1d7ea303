import CMbedTLS
import FixedMemory

/// A point on the curve P-256 (NIST SP 800-186). The initialiser checks that it lies on the curve.
public struct P256PublicKey: BitwiseCopyable, Equatable, Sendable {
    /// The uncompressed point (SEC 1, 2.3.3): 04, then both coordinates, big-endian, 32 bytes each.
    public let x963: Bytes<65>

    /// - Throws: `.wrongLength` unless there are 65 bytes, `.invalidPublicKey` for anything that is not an
    ///   uncompressed point on the curve.
    public init(x963 bytes: Span<UInt8>) throws(CryptographyError) {
        guard let x963 = Bytes<65>(bytes) else { throw .wrongLength }
        guard x963[0] == 4 else { throw .invalidPublicKey }
        self.x963 = x963
        var curve = try P256Curve()
        _ = try curve.readPoint(x963)
    }

    /// The identifier by which people and archives tell keys apart: the first 16 bytes of SHA-256 of
    /// ``x963``.
    public var fingerprint: Bytes<16> {
        let digest = SHA256.digest(of: x963.span)
        var fingerprint = Bytes<16>()
        for index in 0..<16 { fingerprint[index] = digest[index] }
        return fingerprint
    }

    /// Wraps a point that mbedTLS computed, so it needs no check.
    init(computed x963: Bytes<65>) { self.x963 = x963 }

    /// Verifies an ECDSA signature (FIPS 186-4) of a SHA-256 digest.
    ///
    /// - Parameter signature: r and s, big-endian, 32 bytes each.
    /// - Throws: `.authenticationFailed` if the signature is not this key's signature of this digest.
    public func verify(
        _ signature: Bytes<64>, digest: Bytes<32>
    ) throws(CryptographyError) {
        var curve = try P256Curve()
        let point = try curve.readPoint(x963)
        try curve.verify(signature, digest: digest, point: point)
    }
}
