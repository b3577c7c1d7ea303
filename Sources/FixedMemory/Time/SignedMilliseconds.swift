// Databases, calendars and error bounds count in signed numbers. The time types are unsigned, so these
// conversions clamp: a number from outside must not trap.

extension Instant {
    /// Clamps a negative number to the kernel's start.
    public init(clamping milliseconds: Int64) { self.init(milliseconds: UInt64(max(0, milliseconds))) }
}

extension WallClockTime {
    /// Clamps a time before 1970 to 1970. No board recorded then, so bounds stay true.
    public init(clamping milliseconds: Int64) { self.init(milliseconds: UInt64(max(0, milliseconds))) }

    /// The beginning of a day in UTC, counted in whole days since 1970: the inverse of ``days``.
    public init(days: UInt64) { self.init(milliseconds: days * 86_400_000) }

    /// The time since `earlier`; zero if that is not earlier.
    public func interval(since earlier: WallClockTime) -> Interval {
        self > earlier ? self - earlier : .zero
    }
}

extension Interval {
    /// Clamps a negative number to zero.
    public init(clamping milliseconds: Int64) { self.init(milliseconds: UInt64(max(0, milliseconds))) }
}
