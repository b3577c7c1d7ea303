import FixedMemory

/// 64 random bits that identify a phone of BLE-Proximity for a while. Source: mash/BLE-Proximity at 2dcc42e.
public struct BLEProximityUserID: BitwiseCopyable, Equatable, Hashable, Sendable {
    public static let byteCount = 8

    public let value: UInt64

    public init(_ value: UInt64) { self.value = value }

    /// Parses the first 8 bytes of a value read or written, little-endian; more may follow.
    /// - Throws: `.tooShort` for fewer.
    public init(parsing bytes: Span<UInt8>) throws(BLEProximityError) {
        guard bytes.count >= Self.byteCount else { throw .tooShort }
        value = bytes.loadUInt64(at: 0)
    }

    /// The value's bytes on the air: 8, little-endian.
    public var encoded: Bytes<8> {
        var bytes = Bytes<8>()
        for index in 0..<8 {
            bytes[index] = UInt8(truncatingIfNeeded: value >> UInt64(truncatingIfNeeded: 8 * index))
        }
        return bytes
    }
}

public enum BLEProximityError: Error, Equatable, Sendable {
    /// Fewer than 8 bytes.
    case tooShort
    /// The source of randomness failed.
    case noEntropy
}
