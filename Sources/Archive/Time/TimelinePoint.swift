import FixedMemory

/// A point on an ``Encounter/Timeline``: wall time, or, for a boot that had no clock, time since that boot.
///
/// Only the timeline knows which of both it is, so it alone converts a point to a ``WallClockTime``
/// (``Encounter/Timeline/wallClock(_:)``). Points of two timelines cannot be compared.
public struct TimelinePoint: Comparable, Hashable, Sendable {
    /// Since 1970 UTC, or since the boot. The log is untrusted input, so a point may lie before either.
    public var milliseconds: Int64

    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// The time's point on a wall-clock timeline.
    public init(_ time: WallClockTime) { milliseconds = Int64(clamping: time.milliseconds) }

    /// Before and after any other point.
    public static var distantPast: TimelinePoint { TimelinePoint(milliseconds: .min) }
    public static var distantFuture: TimelinePoint { TimelinePoint(milliseconds: .max) }

    public static func < (one: TimelinePoint, other: TimelinePoint) -> Bool {
        one.milliseconds < other.milliseconds
    }

    /// Stops at ``distantFuture``.
    public static func + (point: TimelinePoint, interval: Interval) -> TimelinePoint {
        let (sum, overflow) = point.milliseconds.addingReportingOverflow(
            Int64(clamping: interval.milliseconds))
        return overflow ? .distantFuture : TimelinePoint(milliseconds: sum)
    }

    /// Stops at ``distantPast``.
    public static func - (point: TimelinePoint, interval: Interval) -> TimelinePoint {
        let (rest, overflow) = point.milliseconds.subtractingReportingOverflow(
            Int64(clamping: interval.milliseconds))
        return overflow ? .distantPast : TimelinePoint(milliseconds: rest)
    }

    /// The time since `earlier`, a point of the same timeline; zero if that is not earlier.
    public func interval(since earlier: TimelinePoint) -> Interval {
        self > earlier
            ? Interval(milliseconds: UInt64(bitPattern: milliseconds &- earlier.milliseconds)) : .zero
    }
}

extension Encounter.Timeline {
    /// The wall time of a point on this timeline; nil if the board had no clock.
    public func wallClock(_ point: TimelinePoint) -> WallClockTime? {
        isOnWallClock ? WallClockTime(clamping: point.milliseconds) : nil
    }
}

extension ClosedRange<TimelinePoint> {
    public var length: Interval { upperBound.interval(since: lowerBound) }
}
