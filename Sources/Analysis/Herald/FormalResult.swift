/// One ordered pair of a formal test; the numbers are indices in the list of devices.
public struct FormalPair: Sendable, Equatable {
    public let observer: Int
    public let observed: Int
    public let isDetected: Bool
    public let windowCount: Int
}

/// The result of a formal test, in the terms of Herald's efficacy formula.
public struct FormalResult: Sendable, Equatable {
    public let test: FormalTest
    public let devices: [FormalDevice]
    /// The number of devices with a log; usually all.
    public let observerCount: Int
    /// All pairs, ordered by observer.
    public let pairs: [FormalPair]
    public let firstHourWindowCount: Int
    public let lastHourWindowCount: Int
    /// The part of ``firstHourWindowCount`` that lies outside the hour: a device heard exactly 3,600 s after
    /// the first contact begins a 121st window.
    public let firstHourExtraWindowCount: Int
    /// The same part of ``lastHourWindowCount``.
    public let lastHourExtraWindowCount: Int

    public var maximumPairCount: Int { observerCount * (devices.count - 1) }
    public var detectedPairCount: Int { pairs.filter(\.isDetected).count }

    public var maximumWindowCountPerPair: Int {
        let seconds = test.endSeconds - test.startSeconds
        return Int((seconds + FormalTest.windowSeconds - 1) / FormalTest.windowSeconds)
    }
    public var maximumWindowCount: Int { maximumPairCount * maximumWindowCountPerPair }
    public var windowCount: Int { pairs.reduce(0) { $0 + $1.windowCount } }
    public var maximumHourWindowCount: Int {
        maximumPairCount * Int(FormalTest.hour / FormalTest.windowSeconds)
    }

    /// The share of ordered pairs that detected each other, in percent.
    public var detectionPercent: Double { Self.percent(detectedPairCount, of: maximumPairCount) }
    /// The share of windows with at least one contact, in percent. It can slightly exceed 100: see
    /// ``FormalTest``.
    public var continuityPercent: Double { Self.percent(windowCount, of: maximumWindowCount) }
    public var missedWindowPercent: Double { 100 - continuityPercent }
    /// The difference between the first and the last hour.
    public var longevityErrorPercent: Double {
        abs(
            Self.percent(firstHourWindowCount, of: maximumHourWindowCount)
                - Self.percent(lastHourWindowCount, of: maximumHourWindowCount))
    }
    public var longevityPercent: Double { 100 - longevityErrorPercent }
    /// The longevity without 121st windows. With four devices, these alone can lower ``longevityPercent`` by
    /// 0.28 although no device missed a window.
    public var fittingLongevityPercent: Double {
        let first = Self.percent(
            firstHourWindowCount - firstHourExtraWindowCount, of: maximumHourWindowCount)
        let last = Self.percent(lastHourWindowCount - lastHourExtraWindowCount, of: maximumHourWindowCount)
        return 100 - abs(first - last)
    }

    private static func percent(_ count: Int, of maximum: Int) -> Double {
        maximum > 0 ? 100 * Double(count) / Double(maximum) : 0
    }
}
