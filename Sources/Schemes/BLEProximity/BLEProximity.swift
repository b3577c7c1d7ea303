import Cryptography
import FixedMemory

/// BLE-Proximity: random identities, kept by their owner and published by him.
public enum BLEProximity: PublishingScheme {
    /// One of the owner's identities, and when he had it.
    public typealias PublishedKey = Timed<BLEProximityUserID>

    /// The lists of others say nothing of the time. Ours do; an hour is for clocks.
    public static var toleranceSeconds: UInt64 { 3_600 }

    /// A new identity for each period, by `maker`'s source of randomness: from one nothing follows about another.
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

/// Who this device is in BLE-Proximity. The original draws an identity when it is started and keeps it until it ends.
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
