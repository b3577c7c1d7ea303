import Agent
import CLinux
import FixedMemory

/// The clock CLOCK_BOOTTIME, and the system's wall clock once it has been set.
public struct LinuxClock: AgentClock, Sendable {
    public init() {}

    public var now: Instant { Instant(milliseconds: clinux_monotonic_nanoseconds() / 1_000_000) }

    public var wallClock: WallClockReading? {
        let time = WallClockTime(milliseconds: clinux_wall_clock_nanoseconds() / 1_000_000)
        guard time.isCredible, time >= WallClockReading.earliestPlausible else { return nil }
        let error = clinux_wall_clock_error_milliseconds()
        return WallClockReading(
            time: time,
            errorMilliseconds: error < 0
                ? .max : UInt32(truncatingIfNeeded: min(error, Int64(UInt32.max - 1))))
    }
}
