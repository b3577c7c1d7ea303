/// How an end of an interval stands to the board's clock.
public struct ClockMark: Sendable, Equatable {
    /// Of the start of the agent that the interval belongs to; nil between starts.
    public var monotonicMilliseconds: Int64?
    /// Its wall time may be off by this much either way; nil when nobody can say, or it is on no wall clock.
    public var errorMilliseconds: Int64?

    public init(monotonicMilliseconds: Int64? = nil, errorMilliseconds: Int64? = nil) {
        self.monotonicMilliseconds = monotonicMilliseconds
        self.errorMilliseconds = errorMilliseconds
    }
}

extension BootPlacement {
    func mark(at monotonic: Int64) -> ClockMark {
        ClockMark(monotonicMilliseconds: monotonic, errorMilliseconds: errorMilliseconds(at: monotonic))
    }

    /// Of a time on this placement's timeline.
    func mark(of time: Int64) -> ClockMark { mark(at: monotonicMilliseconds(of: time)) }
}
