/// How a deployed app rated a day's risk for its user.
public struct DeployedExposureRisk: Equatable, Sendable {
    public enum Level: Int, Comparable, Sendable {
        case none, low, high

        public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    public let weights: ExposureWeights
    /// The least weighted minutes of a day for a low and for a high risk.
    public let lowMinutes: Double
    public let highMinutes: Double
    /// The number of past days that the app rates; nil for all.
    public let lookBackDays: Int?

    public func level(of day: DailyExposure) -> Level {
        let minutes = day.scoreSum / 60
        if minutes >= highMinutes { return .high }
        return minutes >= lowMinutes ? .low : .none
    }

    /// Corona-Warn-App 1.15, as in its repository.
    ///
    /// Weights: 0.8 below 63 dB, 1 from there, 0.1 from 73 to 79. A day's risk is high from 9 minutes on, and
    /// low from 5. The app rates the last 10 days. (It also weighted by its keys' transmission risk, which is
    /// 1 here.)
    public static let coronaWarnApp = DeployedExposureRisk(
        weights: ExposureWeights(thresholdsDB: (62, 72, 79), nearness: (0.8, 1, 0.1, 0)), lowMinutes: 5,
        highMinutes: 9, lookBackDays: 10)

    /// SwissCovid's pilot of 27 May 2020: weight 1 up to 50 dB, a half up to 55, and an alarm at 15 minutes a
    /// day.
    public static let swissCovidPilot = DeployedExposureRisk(
        weights: ExposureWeights(thresholdsDB: (50, 55, 55), nearness: (1, 0.5, 0, 0)), lowMinutes: 15,
        highMinutes: 15)

    public init(
        weights: ExposureWeights, lowMinutes: Double, highMinutes: Double, lookBackDays: Int? = nil
    ) {
        self.weights = weights
        self.lowMinutes = lowMinutes
        self.highMinutes = highMinutes
        self.lookBackDays = lookBackDays
    }
}
