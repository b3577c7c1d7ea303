import FixedMemory

// In tests a literal is a number of milliseconds, so that expected times read as the numbers that boards log.

extension Instant: ExpressibleByIntegerLiteral {
    public init(integerLiteral milliseconds: UInt64) { self.init(milliseconds: milliseconds) }
}

extension WallClockTime: ExpressibleByIntegerLiteral {
    public init(integerLiteral milliseconds: UInt64) { self.init(milliseconds: milliseconds) }
}

extension Interval: ExpressibleByIntegerLiteral {
    public init(integerLiteral milliseconds: UInt64) { self.init(milliseconds: milliseconds) }
}

/// The wall-clock time at the kernel's start.
extension ClockOffset: ExpressibleByIntegerLiteral {
    public init(integerLiteral milliseconds: UInt64) {
        self.init(of: WallClockTime(milliseconds: milliseconds), at: .start)
    }
}

extension Instant {
    public static func -= (instant: inout Instant, interval: Interval) { instant = instant - interval }
}
