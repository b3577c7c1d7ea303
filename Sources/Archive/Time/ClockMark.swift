import FixedMemory

/// The clock data of one end of an interval.
public struct ClockMark: Sendable, Equatable {
    /// The monotonic time of the boot that the interval belongs to; nil between boots.
    public var instant: Instant?
    /// The error bound of its wall time, either way; nil if unknown or not on the wall clock.
    public var error: Interval?

    public init(instant: Instant? = nil, error: Interval? = nil) {
        self.instant = instant
        self.error = error
    }
}

extension BootPlacement {
    func mark(at instant: Instant) -> ClockMark { ClockMark(instant: instant, error: error(at: instant)) }

    /// The mark of a point on this placement's timeline.
    func mark(of point: TimelinePoint) -> ClockMark { mark(at: instant(of: point)) }
}
