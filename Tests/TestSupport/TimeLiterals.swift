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
