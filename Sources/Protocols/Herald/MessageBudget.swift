/// How much of what peers write is taken into the log: of all together, so that nobody can push the log's older entries out
/// with it, and of each, so that nobody takes what others may write. A short burst, and then one in a while. Of messages of all
/// together one every ten seconds: some 4.5 MB a day at the longest.
struct MessageBudget: BitwiseCopyable {
    private let burst: UInt64
    private let intervalMilliseconds: UInt64

    /// When all that was taken will have been made up for.
    private var settledMilliseconds: UInt64 = 0

    init(burst: UInt64 = 30, intervalMilliseconds: UInt64 = 10_000) {
        self.burst = burst
        self.intervalMilliseconds = intervalMilliseconds
    }

    /// Whether nothing has been taken lately.
    func isWhole(nowMilliseconds now: UInt64) -> Bool { settledMilliseconds <= now }

    /// Whether one more may be taken, and `spared` more could be after it. At most the burst but one.
    func allows(sparing spared: UInt64 = 0, nowMilliseconds now: UInt64) -> Bool {
        max(settledMilliseconds, now) - now <= (burst - 1 - spared) * intervalMilliseconds
    }

    /// Whether one more is taken. If so, it counts.
    mutating func take(nowMilliseconds now: UInt64) -> Bool {
        guard allows(nowMilliseconds: now) else { return false }
        settledMilliseconds = max(settledMilliseconds, now) + intervalMilliseconds
        return true
    }
}
