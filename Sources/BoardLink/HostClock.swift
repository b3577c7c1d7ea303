import CLinux
import FixedMemory

/// This computer's clocks, or simulated ones in tests.
public struct HostClock: Sendable {
    /// The monotonic clock, which never steps.
    public var monotonicMicroseconds: @Sendable () -> Int64
    /// The wall clock, since 1970 UTC.
    public var wallClockMicroseconds: @Sendable () -> Int64
    /// The error bound of the wall clock, either way; nil if the clock is not synchronised, so its error is
    /// unknown.
    public var wallClockError: @Sendable () -> Interval?

    public init(
        monotonicMicroseconds: @escaping @Sendable () -> Int64,
        wallClockMicroseconds: @escaping @Sendable () -> Int64,
        wallClockError: @escaping @Sendable () -> Interval? = { nil }
    ) {
        self.monotonicMicroseconds = monotonicMicroseconds
        self.wallClockMicroseconds = wallClockMicroseconds
        self.wallClockError = wallClockError
    }

    public static let system = HostClock(
        monotonicMicroseconds: { Int64(clinux_monotonic_nanoseconds() / 1_000) },
        wallClockMicroseconds: { Int64(clinux_wall_clock_nanoseconds() / 1_000) },
        wallClockError: {
            let error = clinux_wall_clock_error_milliseconds()
            return error < 0 ? nil : Interval(clamping: error)
        })

    /// The wall clock in whole milliseconds.
    public var wallClock: WallClockTime { WallClockTime(clamping: wallClockMicroseconds() / 1_000) }

    /// The wall clock minus the monotonic clock. Two monotonic samples around the wall clock bound the error.
    package var wallClockOffsetMicroseconds: Int64 {
        let before = monotonicMicroseconds()
        let wall = wallClockMicroseconds()
        return wall - (before + (monotonicMicroseconds() - before) / 2)
    }
}

extension Instant {
    /// This computer's monotonic clock.
    public static var now: Instant { Instant(milliseconds: clinux_monotonic_nanoseconds() / 1_000_000) }
}
