import EncounterLog

/// Judges readings of a battery: when it is low, and when the board should power off by itself.
public struct BatteryWatch: BitwiseCopyable, Sendable {
    /// At this charge the battery is low.
    private let lowPercent: UInt8
    /// At this charge the board powers off; 0 for never.
    private let stopPercent: UInt8
    private var isLow = false
    private var exhaustedCount = 0

    /// A charge must rise by more than this above the limit before it is no longer low.
    private static let hysteresis: UInt8 = 2
    /// So many readings in a row must agree before the board powers off, because one may be wrong.
    private static let agreement = 2

    public init(lowPercent: UInt8, stopPercent: UInt8) {
        self.lowPercent = lowPercent
        self.stopPercent = stopPercent
    }

    /// - Parameter isLineLow: whether a circuit beside the battery says that the voltage is too low.
    public mutating func judge(_ reading: BatteryReading?, isLineLow: Bool) -> BatteryReading {
        let isPowered = reading?.state == .charging || reading?.state == .idle
        if let percent = reading?.percent {
            let limit = isLow ? lowPercent + Self.hysteresis : lowPercent
            isLow = percent <= limit && !isPowered
            let isExhausted = percent <= stopPercent && stopPercent > 0 && !isPowered
            exhaustedCount = isExhausted ? exhaustedCount + 1 : 0
        } else {
            isLow = false
            exhaustedCount = 0
        }
        return BatteryReading(
            percent: reading?.percent, millivolts: reading?.millivolts, state: reading?.state ?? .unknown,
            isLow: isLow || isLineLow)
    }

    /// Whether the battery is almost empty, so that the board should power off now.
    public var isExhausted: Bool { exhaustedCount >= Self.agreement }
}
