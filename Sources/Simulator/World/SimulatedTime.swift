import FixedMemory

/// A point in simulated time, in microseconds since the world began.
public struct SimulatedTime: Comparable, Hashable, Sendable {
    public let microseconds: UInt64

    public init(microseconds: UInt64) { self.microseconds = microseconds }

    public static let zero = SimulatedTime(microseconds: 0)
    /// A time later than all others.
    public static let never = SimulatedTime(microseconds: .max)

    /// Wall-clock time, as a host with a correct clock knows it.
    var wallClock: WallClockTime {
        WallClockTime(milliseconds: SyncingHost.epochMilliseconds + microseconds / 1_000)
    }

    public static func < (left: SimulatedTime, right: SimulatedTime) -> Bool {
        left.microseconds < right.microseconds
    }

    public static func + (time: SimulatedTime, duration: SimulatedDuration) -> SimulatedTime {
        let (sum, isTooLate) = time.microseconds.addingReportingOverflow(duration.microseconds)
        return SimulatedTime(microseconds: isTooLate ? .max : sum)
    }

    public static func += (time: inout SimulatedTime, duration: SimulatedDuration) { time = time + duration }

    /// Subtracts a duration. The result is never earlier than the start of the world.
    static func - (time: SimulatedTime, duration: SimulatedDuration) -> SimulatedTime {
        SimulatedTime(microseconds: time.microseconds - min(time.microseconds, duration.microseconds))
    }

    /// The time from `right` to `left`; zero if `right` is later.
    public static func - (left: SimulatedTime, right: SimulatedTime) -> SimulatedDuration {
        .microseconds(left < right ? 0 : left.microseconds - right.microseconds)
    }

    /// The time in seconds with one decimal, such as "812.4".
    var inSeconds: String {
        let tenths = microseconds / 100_000
        return "\(tenths / 10).\(tenths % 10)"
    }
}
