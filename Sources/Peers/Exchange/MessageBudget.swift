import FixedMemory

/// The limit on the messages from peers that go to the log. A common limit keeps peers from pushing older
/// entries out of the log. A limit for each sender keeps it from using up the common one. A short burst is
/// allowed, then one message for each interval. All senders together may write one every ten seconds: at most
/// some 4.5 MB a day.
public struct MessageBudget: BitwiseCopyable, Sendable {
    private let burst: UInt64
    private let interval: Interval

    /// The time at which all accepted messages will have been made up for.
    private var settled = Instant.start

    public init(burst: UInt64 = 30, interval: Interval = .seconds(10)) {
        self.burst = burst
        self.interval = interval
    }

    /// Whether no accepted message counts any more.
    public func isWhole(now: Instant) -> Bool { settled <= now }

    /// Whether one more message is allowed that leaves room for `spared` more. `spared` is less than the
    /// burst.
    public func allows(sparing spared: UInt64 = 0, now: Instant) -> Bool {
        max(settled, now) - now <= (burst - 1 - spared) * interval
    }

    /// Charges one message if it is allowed, and returns whether it is.
    public mutating func take(now: Instant) -> Bool {
        guard allows(now: now) else { return false }
        settled = max(settled, now) + interval
        return true
    }
}
