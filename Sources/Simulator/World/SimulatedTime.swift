/// Microseconds since the world began.
public struct SimulatedTime: Comparable, Hashable, Sendable {
    public let microseconds: UInt64

    public init(microseconds: UInt64) { self.microseconds = microseconds }

    public static let zero = SimulatedTime(microseconds: 0)
    /// Later than anything.
    public static let never = SimulatedTime(microseconds: .max)

    /// From 1970, by the clock of a computer that knows the day.
    var wallClockMilliseconds: UInt64 { SyncingHost.epochMilliseconds + microseconds / 1_000 }

    public static func < (left: SimulatedTime, right: SimulatedTime) -> Bool {
        left.microseconds < right.microseconds
    }

    public static func + (time: SimulatedTime, duration: SimulatedDuration) -> SimulatedTime {
        let (sum, isTooLate) = time.microseconds.addingReportingOverflow(duration.microseconds)
        return SimulatedTime(microseconds: isTooLate ? .max : sum)
    }

    public static func += (time: inout SimulatedTime, duration: SimulatedDuration) { time = time + duration }

    /// Nothing is earlier than the world.
    static func - (time: SimulatedTime, duration: SimulatedDuration) -> SimulatedTime {
        SimulatedTime(microseconds: time.microseconds - min(time.microseconds, duration.microseconds))
    }

    /// How long `right` was before `left`; nothing, if it was after it.
    public static func - (left: SimulatedTime, right: SimulatedTime) -> SimulatedDuration {
        .microseconds(left < right ? 0 : left.microseconds - right.microseconds)
    }

    /// Such as "812.4".
    var inSeconds: String {
        let tenths = microseconds / 100_000
        return "\(tenths / 10).\(tenths % 10)"
    }
}
