/// A length of time, in whole milliseconds. It is never negative.
public struct Interval: Comparable, Hashable, BitwiseCopyable, Sendable {
    public var milliseconds: UInt64

    public init(milliseconds: UInt64) { self.milliseconds = milliseconds }

    public static var zero: Interval { Interval(milliseconds: 0) }
    /// Longer than any board runs.
    public static var forever: Interval { Interval(milliseconds: .max) }

    public static func milliseconds(_ count: UInt64) -> Interval { Interval(milliseconds: count) }
    public static func seconds(_ count: UInt64) -> Interval { Interval(milliseconds: count * 1_000) }
    public static func minutes(_ count: UInt64) -> Interval { Interval(milliseconds: count * 60_000) }
    public static func hours(_ count: UInt64) -> Interval { Interval(milliseconds: count * 3_600_000) }
    public static func days(_ count: UInt64) -> Interval { Interval(milliseconds: count * 86_400_000) }

    /// The whole seconds of the interval.
    public var seconds: UInt64 { milliseconds / 1_000 }

    public static func < (one: Interval, other: Interval) -> Bool { one.milliseconds < other.milliseconds }

    public static func + (one: Interval, other: Interval) -> Interval {
        Interval(milliseconds: one.milliseconds + other.milliseconds)
    }

    /// The difference; `other` must not be longer than `one`.
    public static func - (one: Interval, other: Interval) -> Interval {
        Interval(milliseconds: one.milliseconds - other.milliseconds)
    }

    public static func * (interval: Interval, factor: UInt64) -> Interval {
        Interval(milliseconds: interval.milliseconds * factor)
    }

    public static func * (factor: UInt64, interval: Interval) -> Interval { interval * factor }

    public static func / (interval: Interval, divisor: UInt64) -> Interval {
        Interval(milliseconds: interval.milliseconds / divisor)
    }

    /// The number of times that `other` fits into `one`.
    public static func / (one: Interval, other: Interval) -> UInt64 { one.milliseconds / other.milliseconds }

    public static func % (one: Interval, other: Interval) -> Interval {
        Interval(milliseconds: one.milliseconds % other.milliseconds)
    }

    public static func += (one: inout Interval, other: Interval) { one = one + other }
    public static func -= (one: inout Interval, other: Interval) { one = one - other }
}
