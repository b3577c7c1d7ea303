import Agent
import CLinux

/// The clock CLOCK_BOOTTIME, and the system's wall clock once it has been set.
public struct LinuxClock: AgentClock, Sendable {
    public init() {}

    public var monotonicMilliseconds: UInt64 { clinux_monotonic_nanoseconds() / 1_000_000 }

    public var wallClock: WallClockReading? {
        let milliseconds = clinux_wall_clock_nanoseconds() / 1_000_000
        guard milliseconds >= WallClockReading.earliestPlausibleMilliseconds else { return nil }
        let error = clinux_wall_clock_error_milliseconds()
        return WallClockReading(
            milliseconds: milliseconds,
            errorMilliseconds: error < 0
                ? .max : UInt32(truncatingIfNeeded: min(error, Int64(UInt32.max - 1))))
    }
}
