import FixedMemory
import Radio

/// The agent's dealings with the service manager and with programs on the board.
struct BoardService: BitwiseCopyable {
    /// An update that runs well for this long is confirmed.
    private static let trialTime = Interval.minutes(1)

    var watch = ServiceWatch()
    var battery = BatteryKeeper()
    /// Since when the agent has run well without a break.
    private var wellSince: Instant?

    /// Begins the minute anew, because the medium has refused the end of the trial.
    mutating func restartTrial() { wellSince = nil }

    /// Whether an agent on trial has shown that it runs well: its log is written, and its radio works, unless
    /// it may not use one.
    mutating func hasPassedTrial(_ condition: AgentCondition, now: Instant) -> Bool {
        let isRadioWell = condition.radio != .recovering && condition.radio != .lost
        guard condition.isLogWritten, isRadioWell else {
            wellSince = nil
            return false
        }
        let since = wellSince ?? now
        wellSince = since
        return now >= since + Self.trialTime
    }
}
