/// When a scanning controller listens: for one window in each interval. Both are in slots of 0.625 ms
/// (Bluetooth Core 5.4, Vol 4, Part E, 7.8.10).
public struct ScanTiming: Equatable, BitwiseCopyable, Sendable {
    public var intervalSlots: UInt16
    public var windowSlots: UInt16

    public init(intervalSlots: UInt16, windowSlots: UInt16) {
        self.intervalSlots = intervalSlots
        self.windowSlots = windowSlots
    }

    /// Rounds to slots.
    public init(intervalMilliseconds: UInt16, windowMilliseconds: UInt16) {
        intervalSlots = Self.slots(milliseconds: intervalMilliseconds)
        windowSlots = Self.slots(milliseconds: windowMilliseconds)
    }

    /// Whether a controller with this timing listens for a smaller share of the time than with the other.
    public func isSparser(than other: ScanTiming) -> Bool {
        UInt32(windowSlots) * UInt32(other.intervalSlots) < UInt32(other.windowSlots) * UInt32(intervalSlots)
    }

    /// Converts milliseconds to slots, rounded.
    public static func slots(milliseconds: UInt16) -> UInt16 {
        UInt16(truncatingIfNeeded: (UInt32(milliseconds) * 8 + 2) / 5)
    }
}
