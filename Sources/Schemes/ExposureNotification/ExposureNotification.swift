import Cryptography
import FixedMemory

/// Exposure Notification of Apple and Google: an identifier every ten minutes, from a key a day.
public enum ExposureNotification: PublishingScheme {
    /// Twelve intervals, as on phones.
    public static var toleranceSeconds: UInt64 { 7_200 }

    public static func identity(
        at unixSeconds: UInt64, by maker: inout ExposureNotificationMaker
    ) throws(ExposureNotificationError) -> Timed<ExposureNotificationIdentity> {
        let interval = try ExposureNotificationInterval(containing: unixSeconds)
        let key = try maker.key(for: interval)
        var keys = try RollingKeys(key)
        let identifier = try keys.identifier(of: interval)
        let metadata = try keys.encrypt(maker.metadata, with: identifier)
        return Timed(
            ExposureNotificationIdentity(identifier: identifier, metadata: metadata), interval.validity)
    }

    public static func read(_ bytes: Span<UInt8>) throws(ExposureNotificationError)
        -> ExposureNotificationIdentity
    {
        try ExposureNotificationIdentity(parsing: bytes)
    }

    /// Expands a key to identifiers only, because the key does not reveal the metadata.
    public static func expand(
        _ key: TemporaryExposureKey, _ visit: (Timed<RollingProximityIdentifier>) -> Bool
    ) throws(ExposureNotificationError) {
        var keys = try RollingKeys(key)
        for offset in 0..<key.rollingPeriod {
            let interval = ExposureNotificationInterval(number: key.rollingStart.number + offset)
            guard visit(Timed(try keys.identifier(of: interval), interval.validity)) else { return }
        }
    }
}

/// A phone's own identity: a fresh key for each UTC day, from the system's generator. It does not keep
/// yesterday's key.
public struct ExposureNotificationMaker {
    public let metadata: AssociatedMetadata
    private let entropy: Entropy
    public private(set) var key: TemporaryExposureKey?

    public init(metadata: AssociatedMetadata, key: TemporaryExposureKey? = nil, entropy: Entropy) {
        self.metadata = metadata
        self.entropy = entropy
        self.key = key
    }

    mutating func key(
        for interval: ExposureNotificationInterval
    ) throws(ExposureNotificationError) -> TemporaryExposureKey {
        if let key, key.covers(interval) { return key }
        let fresh = try TemporaryExposureKey(at: interval.startSeconds, entropy: entropy)
        key = fresh
        return fresh
    }
}
