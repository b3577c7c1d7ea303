import FixedMemory
import Radio

/// Decides whether the agent does its work so far that the service manager should leave it alone.
///
/// A controller that does not come back ends the agent by `radio.give_up_minutes`. So only an agent that has
/// missed that is started again, and one whose medium has refused all writes for ten minutes: a start opens
/// the medium anew. A controller that was never there is waited for.
struct ServiceWatch: BitwiseCopyable {
    /// How often the agent tells the radio and the board what they must know.
    private static let interval = Interval.seconds(1)
    private static let grace = Interval.minutes(2)
    private static let logLimit = Interval.minutes(10)

    private var next = Instant.start
    private var hasBeenUp = false
    private var downSince: Instant?
    private var unwrittenSince: Instant?

    /// Whether a second has passed since this was last true.
    mutating func isDue(now: Instant) -> Bool {
        guard now >= next else { return false }
        next = now + Self.interval
        return true
    }

    /// - Parameter giveUpMinutes: `radio.give_up_minutes`; 0 for never.
    mutating func isWell(_ condition: AgentCondition, giveUpMinutes: UInt16, now: Instant) -> Bool {
        let isUp = condition.radio != .recovering
        hasBeenUp = hasBeenUp || isUp
        downSince = isUp || !hasBeenUp ? nil : downSince ?? now
        unwrittenSince = condition.isLogWritten ? nil : unwrittenSince ?? now
        if let downSince, giveUpMinutes > 0, now >= downSince + .minutes(UInt64(giveUpMinutes)) + Self.grace {
            return false
        }
        if let unwrittenSince, now >= unwrittenSince + Self.logLimit { return false }
        return true
    }
}
