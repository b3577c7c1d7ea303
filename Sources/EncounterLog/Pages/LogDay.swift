import FixedMemory

/// A day (UTC) in one byte: the days since 1970 modulo 255, plus 1. Two of them give an age.
public struct LogDay: Equatable, BitwiseCopyable, Sendable {
    public let rawValue: UInt8

    private static var cycle: UInt64 { 255 }
    /// A larger age means a day in the future: the clock was set back.
    private static var longestAge: Int { 224 }

    /// Nil for 0.
    public init?(rawValue: UInt8) {
        guard rawValue > 0 else { return nil }
        self.rawValue = rawValue
    }

    /// The day, in UTC, on which `wallClock` lies.
    public init(wallClock: WallClockTime) {
        rawValue = UInt8(truncatingIfNeeded: wallClock.days % Self.cycle + 1)
    }

    /// The number of days between the two; 0 if `today` is earlier.
    public func age(on today: LogDay) -> Int {
        let days = (Int(today.rawValue) - Int(rawValue) + Int(Self.cycle)) % Int(Self.cycle)
        return days > Self.longestAge ? 0 : days
    }
}
