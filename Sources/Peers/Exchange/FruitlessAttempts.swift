import FixedMemory

/// The limit on the time that failed connection attempts take. During an attempt the agent neither scans nor
/// advertises, and anybody can advertise from ever new addresses that never answer. So failed attempts take
/// one minute at once, and otherwise a tenth of the time.
public struct FruitlessAttempts: BitwiseCopyable, Sendable {
    private static let burst = Interval.minutes(1)
    /// The time in which one part may be spent, as a multiple of it.
    private static let share: UInt64 = 10
    /// The limit counts as nearly reached with less than this left.
    private static let reserve = Interval.seconds(30)

    /// When all failed attempts will have been made up for.
    private var settled = Instant.start

    public init() {}

    public mutating func record(_ duration: Interval, now: Instant) {
        settled = max(settled, now) + duration * Self.share
    }

    public func allowsAttempt(now: Instant) -> Bool { used(now) <= Self.burst * Self.share }

    /// Whether so many attempts have failed that strong adverts should not get the next one.
    public func isNearLimit(now: Instant) -> Bool { used(now) > (Self.burst - Self.reserve) * Self.share }

    private func used(_ now: Instant) -> Interval { max(settled, now) - now }
}
