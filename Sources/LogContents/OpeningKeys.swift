import Cryptography
import FixedMemory

/// Private halves of opening keys: one, or several after a rotation. ``OpeningKey`` is one at work.
public struct OpeningKeys: Sendable {
    private let scalars: [Bytes<32>]
    public let fingerprints: [Bytes<16>]

    public static let none = OpeningKeys()

    private init() {
        scalars = []
        fingerprints = []
    }

    /// - Parameter scalars: private numbers, 32 bytes big-endian each.
    /// - Throws: `.invalidPrivateKey` if one of them is no private key of P-256.
    public init(scalars: [Bytes<32>]) throws(CryptographyError) {
        var fingerprints: [Bytes<16>] = []
        for scalar in scalars { fingerprints.append(try OpeningKey(scalar: scalar).fingerprint) }
        self.scalars = scalars
        self.fingerprints = fingerprints
    }

    public var isEmpty: Bool { scalars.isEmpty }

    /// For one thread. Each remembers the epoch that it has opened last.
    public func atWork() -> [OpeningKey] {
        scalars.compactMap { scalar in
            // They were keys when they came in.
            do throws(CryptographyError) { return try OpeningKey(scalar: scalar) } catch { return nil }
        }
    }
}
