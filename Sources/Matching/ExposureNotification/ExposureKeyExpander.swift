import FixedMemory
import Schemes

/// Makes the identifiers of published keys of Exposure Notification, millions of keys one after another: what
/// `ExposureNotification.expand` makes of each, on libcrypto.
public struct ExposureKeyExpander: ~Copyable {
    private let cipher: IdentifierCipher
    /// HKDF without a salt extracts under a key of zeros.
    private let extraction: KeyedSHA256
    private var blocks: [Words]
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

    /// Expands a key; ``identifiers`` has the result.
    public mutating func expand(_ key: TemporaryExposureKey) throws(MatchingError) {
        count = Int(key.rollingPeriod)
        for index in 0..<count {
            let number = key.rollingStart.number &+ UInt32(truncatingIfNeeded: index)
            blocks[index][1] = (UInt64(number) << 32).littleEndian
        }
        try encrypt(under: identifierKey(of: key))
    }

    /// Those of the key expanded last, by their intervals.
    public var identifiers: Span<RollingProximityIdentifier> {
        @_lifetime(borrow self) get { expanded.span.extracting(0..<count) }
    }

    /// `EN-RPI`, ten zeros: the number goes into the last four.
    private static var emptyBlock: Words {
        var block = Words()
        withUnsafeMutableBytes(of: &block) { $0.copyBytes(from: "EN-RPI".utf8) }
        return block
    }

    /// RPIK: HKDF-SHA-256 of the key, no salt, `EN-RPIK`; the first 16 bytes of what is derived.
    private func identifierKey(of key: TemporaryExposureKey) -> SHA256Digest {
        let secret = withUnsafeBytes(of: key.data) { extraction.code(of: $0) }
        let expansion = withUnsafeBytes(of: secret) { KeyedSHA256(key: $0) }
        return withUnsafeBytes(of: Self.expansionMessage) { expansion.code(of: $0) }
    }

    /// `EN-RPIK`, and the number of the first block.
    private static let expansionMessage = UInt64(bigEndian: 0x454e_2d52_5049_4b01)

    private mutating func encrypt(under key: SHA256Digest) throws(MatchingError) {
        let byteCount = count * MemoryLayout<Words>.stride
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

/// 16 bytes as they lie in memory.
typealias Words = SIMD2<UInt64>
