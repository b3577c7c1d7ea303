/// An interval of ten minutes, counted from 1970 UTC (ENIntervalNumber). Source: Exposure Notification,
/// Cryptography Specification 1.2.
public struct ExposureNotificationInterval: BitwiseCopyable, Comparable, Hashable, Sendable {
    public static let seconds: UInt32 = 600

    public let number: UInt32

    public init(number: UInt32) { self.number = number }

    /// The interval that contains an instant.
    /// - Throws: `.noInterval` for times whose interval number exceeds 32 bits.
    public init(containing unixSeconds: UInt64) throws(ExposureNotificationError) {
        guard let number = UInt32(exactly: unixSeconds / UInt64(Self.seconds)) else { throw .noInterval }
        self.number = number
    }

    public var startSeconds: UInt64 { UInt64(number) * UInt64(Self.seconds) }

    public var validity: ValidityInterval {
        ValidityInterval(around: startSeconds, periodSeconds: Self.seconds)
    }

    public static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

public enum ExposureNotificationError: Error, Equatable, Sendable {
    /// Other than 16 bytes of an identifier, 4 of metadata, or 20 of service data.
    case wrongLength
    /// The time is after the last interval with a number.
    case noInterval
    /// A rolling period other than 1 through 144, or one that passes the last interval.
    case wrongRollingPeriod
    /// The key does not cover the time.
    case outsideRollingPeriod
    /// The source of randomness failed.
    case noEntropy
    /// mbedTLS ran out of memory.
    case cryptography
}
