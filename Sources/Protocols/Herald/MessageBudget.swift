/// The limit on the messages from peers that go to the log. A common limit keeps peers from pushing older
/// entries out of the log. A limit for each sender keeps it from using up the common one. A short burst is
/// allowed, then one message for each interval. All senders together may write one every ten seconds: at most
/// some 4.5 MB a day.
struct MessageBudget: BitwiseCopyable {
    private let burst: UInt64
    private let intervalMilliseconds: UInt64

    /// The time at which all accepted messages will have been made up for.
    private var settledMilliseconds: UInt64 = 0

    init(burst: UInt64 = 30, intervalMilliseconds: UInt64 = 10_000) {
        self.burst = burst
        self.intervalMilliseconds = intervalMilliseconds
    }

    /// Whether no accepted message counts any more.
    func isWhole(nowMilliseconds now: UInt64) -> Bool { settledMilliseconds <= now }

    /// Whether one more message is allowed that leaves room for `spared` more. `spared` is less than the
    /// burst.
    func allows(sparing spared: UInt64 = 0, nowMilliseconds now: UInt64) -> Bool {
        max(settledMilliseconds, now) - now <= (burst - 1 - spared) * intervalMilliseconds
    }

    /// Charges one message if it is allowed, and returns whether it is.
    mutating func take(nowMilliseconds now: UInt64) -> Bool {
        guard allows(nowMilliseconds: now) else { return false }
        settledMilliseconds = max(settledMilliseconds, now) + intervalMilliseconds
        return true
    }
}
