/// A point in monotonic time: milliseconds since the board's kernel started, suspension included.
///
/// An instant has no date. A ``ClockOffset`` converts it to a ``WallClockTime``.
public struct Instant: Comparable, Hashable, BitwiseCopyable, Sendable {
    public var milliseconds: UInt64

    public init(milliseconds: UInt64) { self.milliseconds = milliseconds }

    /// When the kernel started. Every other instant is later.
    public static var start: Instant { Instant(milliseconds: 0) }
    /// Later than any instant that a board reaches: "never" for a deadline.
    public static var distantFuture: Instant { Instant(milliseconds: .max) }

    public static func < (one: Instant, other: Instant) -> Bool { one.milliseconds < other.milliseconds }

    public static func + (instant: Instant, interval: Interval) -> Instant {
        Instant(milliseconds: instant.milliseconds + interval.milliseconds)
    }

    /// The instant that lies `interval` earlier; it must not be before ``start``.
    public static func - (instant: Instant, interval: Interval) -> Instant {
        Instant(milliseconds: instant.milliseconds - interval.milliseconds)
    }

    /// The time from `earlier` to `later`; they must be in that order.
    public static func - (later: Instant, earlier: Instant) -> Interval {
        Interval(milliseconds: later.milliseconds - earlier.milliseconds)
    }

    /// The time since `earlier`; zero if that is not earlier.
    public func interval(since earlier: Instant) -> Interval {
        self > earlier ? self - earlier : .zero
    }

    /// The instant that lies `interval` later; wraps, so that no number from outside can trap.
    public static func &+ (instant: Instant, interval: Interval) -> Instant {
        Instant(milliseconds: instant.milliseconds &+ interval.milliseconds)
    }

    /// The time from `earlier` to `later`; wraps if they are not in that order.
    public static func &- (later: Instant, earlier: Instant) -> Interval {
        Interval(milliseconds: later.milliseconds &- earlier.milliseconds)
    }

    /// The instant that lies `interval` earlier, but not before ``start``.
    public func earlier(by interval: Interval) -> Instant {
        Instant(milliseconds: milliseconds - min(milliseconds, interval.milliseconds))
    }

    /// The number of whole cycles since ``start``.
    public static func / (instant: Instant, cycle: Interval) -> UInt64 {
        instant.milliseconds / cycle.milliseconds
    }

    /// The time since the last whole cycle, counted from ``start``.
    public static func % (instant: Instant, cycle: Interval) -> Interval {
        Interval(milliseconds: instant.milliseconds % cycle.milliseconds)
    }

    public static func += (instant: inout Instant, interval: Interval) { instant = instant + interval }
}
