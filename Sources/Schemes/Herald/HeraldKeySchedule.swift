import Cryptography
import FixedMemory

/// Derives all contact identifiers of a phone or wearable from one secret: a new one every six minutes for
/// 2,001 days. Source: the Simple payload of Herald for iOS and Android, byte for byte.
///
/// The days are whole UTC days since the epoch. Herald's phones count from 2020-09-24, and have had no
/// identifier since 2026-03-18. Here the epoch is a setting, and no day outside has an identifier.
public struct HeraldKeySchedule: BitwiseCopyable, Sendable {
    public static let secretByteCount = 2048
    /// The last day; days are numbered from 0.
    public static let lastDay = 2000
    public static let periodsPerDay = 240
    public static let periodMilliseconds: UInt64 = 360_000
    private static let millisecondsPerDay: UInt64 = 86_400_000

    /// The first day, counted from 1970-01-01.
    public let epochDay: UInt32
    /// The seed of the last day. It gives everything that the secret gives, so the secret need not stay in
    /// memory.
    private let lastSeed: Bytes<32>

    /// - Parameter secret: 2048 bytes; other lengths would work, but are not Herald's.
    public init(secret: Span<UInt8>, epochDay: UInt32) {
        self.init(lastSeed: SHA256.digest(of: secret), epochDay: epochDay)
    }

    init(lastSeed: Bytes<32>, epochDay: UInt32) {
        self.lastSeed = lastSeed
        self.epochDay = epochDay
    }

    /// The period at `milliseconds` since 1970 UTC.
    public func period(at milliseconds: UInt64) throws(HeraldScheduleError) -> HeraldPeriod {
        let today = milliseconds / Self.millisecondsPerDay
        guard today >= UInt64(epochDay) else { throw .beforeEpoch }
        guard today <= UInt64(epochDay) + UInt64(Self.lastDay) else { throw .over }
        return HeraldPeriod(
            day: Int(truncatingIfNeeded: today - UInt64(epochDay)),
            index: Int(truncatingIfNeeded: milliseconds % Self.millisecondsPerDay / Self.periodMilliseconds))
    }

    /// The end of the last period, in milliseconds since 1970 UTC.
    public var endMilliseconds: UInt64 {
        (UInt64(epochDay) + UInt64(Self.lastDay) + 1) * Self.millisecondsPerDay
    }

    /// The walk to the matching key of `day`, which an owner who has fallen ill publishes. It reveals the
    /// identifiers of that day and of no other.
    func chain(toDay day: Int) -> HeraldSeedChain {
        HeraldSeedChain(lastSeed: lastSeed, last: Self.lastDay, wanted: day)
    }

    /// The walk to the contact key of a period; its first half is the contact identifier.
    static func chain(from matchingKey: Bytes<32>, toPeriod index: Int) -> HeraldSeedChain {
        HeraldSeedChain(
            lastSeed: SHA256.digest(of: matchingKey.span), last: periodsPerDay, wanted: index)
    }
}

/// A period of six minutes on one of the schedule's days.
public struct HeraldPeriod: BitwiseCopyable, Equatable, Sendable {
    /// Counted from the epoch: 0 through 2000.
    public let day: Int
    /// 0 through 239.
    public let index: Int

    init(day: Int, index: Int) {
        self.day = day
        self.index = index
    }

    /// The period's number, counted through all days.
    public var ordinal: Int { day * HeraldKeySchedule.periodsPerDay + index }
}

/// Why the schedule has no identifier.
public enum HeraldScheduleError: Error, BitwiseCopyable, Equatable, Sendable {
    case beforeEpoch
    /// The schedule has ended. Phones then send identifiers of zeros; we send none.
    case over
    /// A payload of another kind, or all zeros.
    case notAnIdentity
}
