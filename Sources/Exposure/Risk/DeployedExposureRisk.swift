/// How an app that was in use told its owner of a day's risk.
public struct DeployedExposureRisk: Equatable, Sendable {
    public enum Level: Int, Comparable, Sendable {
        case none, low, high

        public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    public let weights: ExposureWeights
    /// Weighted minutes of a day from which on the risk is low, or high.
    public let lowMinutes: Double
    public let highMinutes: Double
    /// Days before today that are judged; nil for all that there are.
    public let lookBackDays: Int?

    public func level(of day: DailyExposure) -> Level {
        let minutes = day.scoreSum / 60
        if minutes >= highMinutes { return .high }
        return minutes >= lowMinutes ? .low : .none
    }

    /// Corona-Warn-App 1.15, as its repository has it: 0.8 below 63 dB, 1 from there, 0.1 from 73 to 79; a day is high from 9
    /// minutes on, and low from 5; judged are the last 10 days. (The app also weighed with its keys' transmission risk, which is 1 here.)
    public static let coronaWarnApp = DeployedExposureRisk(
        weights: ExposureWeights(thresholdsDB: (62, 72, 79), nearness: (0.8, 1, 0.1, 0)), lowMinutes: 5,
        highMinutes: 9, lookBackDays: 10)

    /// SwissCovid's pilot of 27 May 2020: 1 up to 50 dB, a half up to 55, and an alarm at 15 minutes a day.
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
