import FixedMemory

/// A limit on the bytes that go to the log, or to its medium, for one cause: a burst, then a steady rate.
/// In any period it allows no more than the burst and what the rate gives in that period.
public struct LogAllowance: BitwiseCopyable, Sendable {
    /// The time in which the rate gives a kibibyte; zero for no limit.
    private let pace: Interval
    private let burst: Interval
    /// When everything taken so far will have been made up for.
    private var settled = Instant.start

    /// `pace`: the time for each kibibyte. `burstKibibytes`: the kibibytes that may be taken at once.
    public init(pace: Interval, burstKibibytes: UInt64) {
        self.init(pace: pace, burst: pace * burstKibibytes)
    }

    private init(pace: Interval, burst: Interval) {
        self.pace = pace
        self.burst = burst
    }

    public static var unlimited: LogAllowance { LogAllowance(pace: .zero, burst: .forever) }

    /// Of encounters whose peers neither stay nor give their identity, and of messages and refused
    /// identities of peers without identity: 206 KiB an hour, and 32 KiB at once.
    public static var fleeting: LogAllowance {
        LogAllowance(pace: .milliseconds(17_408), burstKibibytes: 32)
    }

    /// Of encounters with peers that stay and do not give their identity: 1.1 MiB an hour, and 256 KiB at
    /// once. That is 180 such peers at a time.
    public static var lasting: LogAllowance { LogAllowance(pace: .milliseconds(3_072), burstKibibytes: 256) }

    /// Of pages that are programmed before they are full although nothing in them needs it: 60 MiB a day,
    /// and 1 MiB at once.
    public static var earlyPages: LogAllowance {
        LogAllowance(pace: .milliseconds(1_408), burstKibibytes: 1_024)
    }

    /// Whether so many more bytes are allowed.
    public func allows(_ byteCount: Int, now: Instant) -> Bool {
        max(settled, now) - now + cost(of: byteCount) <= burst
    }

    /// Takes the bytes if they are allowed, and returns whether they are.
    public mutating func take(_ byteCount: Int, now: Instant) -> Bool {
        if pace == .zero { return true }
        let (start, cost) = (max(settled, now), cost(of: byteCount))
        guard start - now + cost <= burst else { return false }
        settled = start + cost
        return true
    }

    /// Takes bytes that something else limits, even if they are more than is left.
    public mutating func charge(_ byteCount: Int, now: Instant) {
        settled = max(settled, now) + cost(of: byteCount)
    }

    private func cost(of byteCount: Int) -> Interval {
        // Rounds up.
        (pace * UInt64(truncatingIfNeeded: byteCount) + .milliseconds(1_023)) / 1_024
    }
}
