/// How many of the messages that end up in the log are taken: all peers together, so that nobody can push the log's older
/// entries out with them. A short burst, and then one every ten seconds: some 4.5 MB a day at the longest.
struct MessageBudget: BitwiseCopyable {
    static let burst: UInt64 = 30
    static let intervalMilliseconds: UInt64 = 10_000

    /// When all that was taken will have been made up for.
    private var settledMilliseconds: UInt64 = 0

    /// Whether one more is taken. If so, it counts.
    mutating func take(nowMilliseconds now: UInt64) -> Bool {
        let settled = max(settledMilliseconds, now)
        guard settled - now <= (Self.burst - 1) * Self.intervalMilliseconds else { return false }
        settledMilliseconds = settled + Self.intervalMilliseconds
        return true
    }
}
