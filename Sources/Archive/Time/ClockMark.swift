/// The clock data of one end of an interval.
public struct ClockMark: Sendable, Equatable {
    /// The monotonic time of the boot that the interval belongs to; nil between boots.
    public var monotonicMilliseconds: Int64?
    /// The error bound of its wall time, either way; nil if unknown or not on the wall clock.
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

    /// The mark of a time on this placement's timeline.
    func mark(of time: Int64) -> ClockMark { mark(at: monotonicMilliseconds(of: time)) }
}
