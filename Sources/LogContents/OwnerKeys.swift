import Cryptography
import FixedMemory

/// The private halves of owner keys: one, or several after a rotation. ``OwnerKey`` decrypts with one of
/// them.
public struct OwnerKeys: Sendable {
    private let scalars: [Bytes<32>]
    public let fingerprints: [Bytes<16>]

    public static let none = OwnerKeys()

    private init() {
        scalars = []
        fingerprints = []
    }

    /// - Parameter scalars: private scalars, 32 bytes each, big-endian.
    /// - Throws: `.invalidPrivateKey` if one of them is not a P-256 private key.
    public init(scalars: [Bytes<32>]) throws(CryptographyError) {
        var fingerprints: [Bytes<16>] = []
        for scalar in scalars { fingerprints.append(try OwnerKey(scalar: scalar).fingerprint) }
        self.scalars = scalars
        self.fingerprints = fingerprints
    }

    public var isEmpty: Bool { scalars.isEmpty }

    /// Creates decryption keys for use on one thread. Each caches the last epoch that it decrypted.
    public func atWork() -> [OwnerKey] {
        scalars.compactMap { scalar in
            // The initialiser has already accepted these scalars.
            do throws(CryptographyError) { return try OwnerKey(scalar: scalar) } catch { return nil }
        }
    }
}
