import CLinux

/// This computer's clocks: the system's, or those of a test.
public struct HostClock: Sendable {
    /// Never steps.
    public var monotonicMicroseconds: @Sendable () -> Int64
    /// Since 1970 UTC.
    public var wallClockMicroseconds: @Sendable () -> Int64
    /// The wall clock may be off by this much either way; nil while nothing disciplines it, so that nobody can say.
    public var wallClockErrorMilliseconds: @Sendable () -> Int64?

    public init(
        monotonicMicroseconds: @escaping @Sendable () -> Int64,
        wallClockMicroseconds: @escaping @Sendable () -> Int64,
        wallClockErrorMilliseconds: @escaping @Sendable () -> Int64? = { nil }
    ) {
        self.monotonicMicroseconds = monotonicMicroseconds
        self.wallClockMicroseconds = wallClockMicroseconds
        self.wallClockErrorMilliseconds = wallClockErrorMilliseconds
    }

    public static let system = HostClock(
        monotonicMicroseconds: { Int64(clinux_monotonic_nanoseconds() / 1_000) },
        wallClockMicroseconds: { Int64(clinux_wall_clock_nanoseconds() / 1_000) },
        wallClockErrorMilliseconds: {
            let error = clinux_wall_clock_error_milliseconds()
            return error < 0 ? nil : error
        })

    /// What the wall clock is ahead of the monotonic one. Both readings of the latter are within a moment.
    package var wallClockOffsetMicroseconds: Int64 {
        let before = monotonicMicroseconds()
        let wall = wallClockMicroseconds()
        return wall - (before + (monotonicMicroseconds() - before) / 2)
    }
}
