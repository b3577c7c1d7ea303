/// The difference between wall-clock time and monotonic time within one boot.
///
/// Only an offset converts an ``Instant`` to a ``WallClockTime``. Its arithmetic wraps, so that no clock
/// value from outside can trap.
public struct ClockOffset: Hashable, BitwiseCopyable, Sendable {
    private let milliseconds: UInt64

    /// The offset of a clock that reads `time` at `instant`.
    public init(of time: WallClockTime, at instant: Instant) {
        milliseconds = time.milliseconds &- instant.milliseconds
    }

    /// How far a clock was set, forwards or backwards, between two offsets.
    public func distance(from earlier: ClockOffset) -> Interval {
        Interval(milliseconds: Int64(bitPattern: milliseconds &- earlier.milliseconds).magnitude)
    }

    /// Whether a clock with this offset is behind one with the other.
    public func isEarlier(than other: ClockOffset) -> Bool {
        Int64(bitPattern: milliseconds &- other.milliseconds) < 0
    }

    public static func + (instant: Instant, offset: ClockOffset) -> WallClockTime {
        WallClockTime(milliseconds: instant.milliseconds &+ offset.milliseconds)
    }
}
