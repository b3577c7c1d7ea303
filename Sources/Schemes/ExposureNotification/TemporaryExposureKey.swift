import Cryptography
import FixedMemory

/// A day's key: random, and published by its owner. It reveals the identifiers of its intervals, and their
/// metadata.
public struct TemporaryExposureKey: BitwiseCopyable, Equatable, Sendable {
    public static let intervalsPerDay: UInt32 = 144

    public let data: Bytes<16>
    public let rollingStart: ExposureNotificationInterval
    /// The number of intervals, 1 through 144.
    public let rollingPeriod: UInt32

    /// - Throws: `.wrongRollingPeriod` for a period other than 1 through 144, or one that passes the last
    ///   interval.
    public init(
        data: Bytes<16>, rollingStart: ExposureNotificationInterval, rollingPeriod: UInt32 = intervalsPerDay
    ) throws(ExposureNotificationError) {
        guard (1...Self.intervalsPerDay).contains(rollingPeriod),
            rollingPeriod - 1 <= UInt32.max - rollingStart.number
        else { throw .wrongRollingPeriod }
        self.data = data
        self.rollingStart = rollingStart
        self.rollingPeriod = rollingPeriod
    }

    /// Makes a fresh key for the UTC day of an instant.
    public init(at unixSeconds: UInt64, entropy: Entropy) throws(ExposureNotificationError) {
        let now = try ExposureNotificationInterval(containing: unixSeconds)
        var data = Bytes<16>()
        var destination = data.mutableSpan
        do throws(CryptographyError) { try entropy.fill(&destination) } catch { throw .noEntropy }
        let start = ExposureNotificationInterval(number: now.number - now.number % Self.intervalsPerDay)
        try self.init(data: data, rollingStart: start)
    }

    public var lastInterval: ExposureNotificationInterval {
        ExposureNotificationInterval(number: rollingStart.number + (rollingPeriod - 1))
    }

    public func covers(_ interval: ExposureNotificationInterval) -> Bool {
        rollingStart <= interval && interval <= lastInterval
    }
}
