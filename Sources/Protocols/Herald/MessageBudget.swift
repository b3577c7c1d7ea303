/// How much of what peers write is taken into the log: of all together, so that nobody can push the log's older entries out
/// with it. A short burst, and then one in a while. Of messages one every ten seconds: some 4.5 MB a day at the longest.
struct MessageBudget: BitwiseCopyable {
    private let burst: UInt64
    private let intervalMilliseconds: UInt64

    /// When all that was taken will have been made up for.
    private var settledMilliseconds: UInt64 = 0

    init(burst: UInt64 = 30, intervalMilliseconds: UInt64 = 10_000) {
        self.burst = burst
        self.intervalMilliseconds = intervalMilliseconds
    }

    /// Whether one more is taken. If so, it counts.
    mutating func take(nowMilliseconds now: UInt64) -> Bool {
        let settled = max(settledMilliseconds, now)
        guard settled - now <= (burst - 1) * intervalMilliseconds else { return false }
        settledMilliseconds = settled + intervalMilliseconds
        return true
    }
}
