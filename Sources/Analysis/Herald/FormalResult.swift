/// One ordered pair of a formal test; devices by their place in the list.
public struct FormalPair: Sendable, Equatable {
    public let observer: Int
    public let observed: Int
    public let isDetected: Bool
    public let windowCount: Int
}

/// What a formal test came to, in the terms of Herald's efficacy formula.
public struct FormalResult: Sendable, Equatable {
    public let test: FormalTest
    public let devices: [FormalDevice]
    /// Devices that kept a log; usually all.
    public let observerCount: Int
    /// Observer by observer.
    public let pairs: [FormalPair]
    public let firstHourWindowCount: Int
    public let lastHourWindowCount: Int

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

    /// Ordered pairs that met, in percent.
    public var detectionPercent: Double { Self.percent(detectedPairCount, of: maximumPairCount) }
    /// Windows with at least one contact, in percent. It can be a little over 100: see ``FormalTest``.
    public var continuityPercent: Double { Self.percent(windowCount, of: maximumWindowCount) }
    public var missedWindowPercent: Double { 100 - continuityPercent }
    /// How far the first and the last hour lie apart.
    public var longevityErrorPercent: Double {
        abs(
            Self.percent(firstHourWindowCount, of: maximumHourWindowCount)
                - Self.percent(lastHourWindowCount, of: maximumHourWindowCount))
    }
    public var longevityPercent: Double { 100 - longevityErrorPercent }

    private static func percent(_ count: Int, of maximum: Int) -> Double {
        maximum > 0 ? 100 * Double(count) / Double(maximum) : 0
    }
}
