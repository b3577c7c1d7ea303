import Cryptography
import FixedMemory

/// BLE-Proximity: random identities, which their owner keeps and may publish.
public enum BLEProximity: PublishingScheme {
    /// One of the owner's identities, and its validity.
    public typealias PublishedKey = Timed<BLEProximityUserID>

    /// Lists from other publishers contain no times; ours do. An hour allows for clock errors.
    public static var toleranceSeconds: UInt64 { 3_600 }

    /// The identity of the period, fresh in each, from `maker`'s source of randomness. No identity reveals
    /// another.
    public static func identity(
        at unixSeconds: UInt64, by maker: inout BLEProximityMaker
    ) throws(BLEProximityError) -> Timed<BLEProximityUserID> {
        try maker.identity(at: unixSeconds)
    }

    public static func read(_ bytes: Span<UInt8>) throws(BLEProximityError) -> BLEProximityUserID {
        try BLEProximityUserID(parsing: bytes)
    }

    public static func expand(
        _ key: Timed<BLEProximityUserID>, _ visit: (Timed<BLEProximityUserID>) -> Bool
    ) throws(BLEProximityError) {
        _ = visit(key)
    }
}

/// A device's own identity in BLE-Proximity. The original app draws an identity when it starts, and keeps it
/// until it exits.
public struct BLEProximityMaker {
    public let periodSeconds: UInt32
    private let entropy: Entropy
    private var current: Timed<BLEProximityUserID>?

    public init(periodSeconds: UInt32, entropy: Entropy) {
        self.periodSeconds = periodSeconds
        self.entropy = entropy
    }

    mutating func identity(at unixSeconds: UInt64) throws(BLEProximityError) -> Timed<BLEProximityUserID> {
        if let current, current.validity.contains(unixSeconds) { return current }
        var bytes = Bytes<8>()
        var destination = bytes.mutableSpan
        do throws(CryptographyError) { try entropy.fill(&destination) } catch { throw .noEntropy }
        let fresh = Timed(
            try BLEProximityUserID(parsing: bytes.span),
            ValidityInterval(around: unixSeconds, periodSeconds: periodSeconds))
        current = fresh
        return fresh
    }
}
