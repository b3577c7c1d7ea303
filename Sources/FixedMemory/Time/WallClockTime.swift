/// A point in civil time: milliseconds since 1970-01-01T00:00:00Z, without leap seconds.
public struct WallClockTime: Comparable, Hashable, BitwiseCopyable, Sendable {
    public var milliseconds: UInt64

    public init(milliseconds: UInt64) { self.milliseconds = milliseconds }
    public init(seconds: UInt64) { milliseconds = seconds * 1_000 }

    /// Whole seconds since 1970.
    public var seconds: UInt64 { milliseconds / 1_000 }
    /// Whole days since 1970, in UTC.
    public var days: UInt64 { milliseconds / 86_400_000 }

    /// False for times before 2020 or after 2099. A clock that shows such a time was never set, or was set
    /// wrong.
    public var isCredible: Bool { (1_577_836_800_000..<4_102_444_800_000).contains(milliseconds) }

    public static func < (one: WallClockTime, other: WallClockTime) -> Bool {
        one.milliseconds < other.milliseconds
    }

    public static func + (time: WallClockTime, interval: Interval) -> WallClockTime {
        WallClockTime(milliseconds: time.milliseconds + interval.milliseconds)
    }

    /// The time that lies `interval` earlier; it must not be before 1970.
    public static func - (time: WallClockTime, interval: Interval) -> WallClockTime {
        WallClockTime(milliseconds: time.milliseconds - interval.milliseconds)
    }

    /// The time from `earlier` to `later`; they must be in that order.
    public static func - (later: WallClockTime, earlier: WallClockTime) -> Interval {
        Interval(milliseconds: later.milliseconds - earlier.milliseconds)
    }
}
