import FixedMemory
import Schemes

/// Derives the identifiers of published Exposure Notification keys, for millions of keys one after another.
/// It gives the same results as `ExposureNotification.expand`, but uses libcrypto.
public struct ExposureKeyExpander: ~Copyable {
    private let cipher: IdentifierCipher
    /// The HMAC of HKDF's extract step; without a salt its key is all zeros.
    private let extraction: KeyedSHA256
    private var blocks: [IdentifierWords]
    private var expanded: [RollingProximityIdentifier]
    private var count = 0

    public init() throws(MatchingError) {
        cipher = try IdentifierCipher()
        let zeros = SHA256Digest()
        extraction = withUnsafeBytes(of: zeros) { KeyedSHA256(key: $0) }
        let blockCount = Int(TemporaryExposureKey.intervalsPerDay)
        blocks = Array(repeating: Self.emptyBlock, count: blockCount)
        expanded = Array(repeating: RollingProximityIdentifier(Bytes()), count: blockCount)
    }

    /// Expands a key; the result is in ``identifiers``.
    public mutating func expand(_ key: TemporaryExposureKey) throws(MatchingError) {
        count = Int(key.rollingPeriod)
        for index in 0..<count {
            let number = key.rollingStart.number &+ UInt32(truncatingIfNeeded: index)
            blocks[index][1] = (UInt64(number) << 32).littleEndian
        }
        try encrypt(under: identifierKey(of: key))
    }

    /// The identifiers of the key expanded last, by interval.
    public var identifiers: Span<RollingProximityIdentifier> {
        @_lifetime(borrow self) get { expanded.span.extracting(0..<count) }
    }

    /// A block of `EN-RPI` and ten zeros; the last four bytes take the interval number.
    private static var emptyBlock: IdentifierWords {
        var block = IdentifierWords()
        withUnsafeMutableBytes(of: &block) { $0.copyBytes(from: "EN-RPI".utf8) }
        return block
    }

    /// Derives the RPIK: the first 16 bytes of HKDF-SHA-256 of the key, without a salt, with the info
    /// `EN-RPIK`.
    private func identifierKey(of key: TemporaryExposureKey) -> SHA256Digest {
        let secret = withUnsafeBytes(of: key.data) { extraction.code(of: $0) }
        let expansion = withUnsafeBytes(of: secret) { KeyedSHA256(key: $0) }
        return withUnsafeBytes(of: Self.expansionMessage) { expansion.code(of: $0) }
    }

    /// The message `EN-RPIK` and 1, the number of the first block.
    private static let expansionMessage = UInt64(bigEndian: 0x454e_2d52_5049_4b01)

    private mutating func encrypt(under key: SHA256Digest) throws(MatchingError) {
        let byteCount = count * MemoryLayout<IdentifierWords>.stride
        let isDone = expanded.withUnsafeMutableBytes { target in
            blocks.withUnsafeBytes { blocks in
                withUnsafeBytes(of: key) { key in
                    cipher.encrypt(
                        UnsafeRawBufferPointer(rebasing: blocks.prefix(byteCount)), to: target,
                        key: UnsafeRawBufferPointer(rebasing: key.prefix(16)))
                }
            }
        }
        guard isDone else { throw .libcrypto }
    }
}

/// 16 bytes in their order in memory.
typealias IdentifierWords = SIMD2<UInt64>
