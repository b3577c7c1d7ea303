/// The first of the two models that phones have used: a product of four table entries (ExposureConfiguration,
/// version 1).
public struct ExposureRiskScore: Equatable, Sendable {
    /// For attenuations above 73, 63, 51, 33, 27, 15 and 10 dB, and for lower ones.
    public let attenuation: [Int]
    /// For exposures at least 14, 12, 10, 8, 6, 4 and 2 days ago, and for later ones.
    public let daysSinceExposure: [Int]
    /// For 0 minutes, up to 5, 10, 15, 20, 25 and 30, and for longer ones.
    public let duration: [Int]
    /// For the keys' transmission risks, 1 through 8.
    public let transmissionRisk: [Int]
    /// A lower score counts as 0.
    public let minimum: Int

    /// Corona-Warn-App of 2020, as in its server's repository at 752f6d7. It counts more than 10 minutes at
    /// up to 73 dB, times the key's own risk from 3 on. A score below 11 does not count.
    public static let coronaWarnApp = ExposureRiskScore(
        attenuations: [0, 2, 2, 2, 2, 2, 2, 2], days: [5, 5, 5, 5, 5, 5, 5, 5],
        durations: [0, 0, 0, 1, 1, 1, 1, 1], risks: [0, 0, 3, 4, 5, 6, 7, 8], minimum: 11)

    private init(attenuations: [Int], days: [Int], durations: [Int], risks: [Int], minimum: Int) {
        attenuation = attenuations
        daysSinceExposure = days
        duration = durations
        transmissionRisk = risks
        self.minimum = minimum
    }

    /// Nil unless each table has eight entries from 0 through 8.
    public init?(
        attenuation: [Int], daysSinceExposure: [Int], duration: [Int], transmissionRisk: [Int], minimum: Int
    ) {
        for table in [attenuation, daysSinceExposure, duration, transmissionRisk] {
            guard table.count == 8, table.allSatisfy({ (0...8).contains($0) }) else { return nil }
        }
        self.attenuation = attenuation
        self.daysSinceExposure = daysSinceExposure
        self.duration = duration
        self.transmissionRisk = transmissionRisk
        self.minimum = minimum
    }

    /// - Parameter transmissionRisk: the key's risk; 0 or an undefined value has the factor 1.
    public func score(
        attenuationDB: Int, daysAgo: Int, minutes: Int, transmissionRisk risk: Int
    ) -> Int {
        let score =
            attenuation[[73, 63, 51, 33, 27, 15, 10].firstIndex { attenuationDB > $0 } ?? 7]
            * daysSinceExposure[[14, 12, 10, 8, 6, 4, 2].firstIndex { daysAgo >= $0 } ?? 7]
            * duration[[0, 5, 10, 15, 20, 25, 30].firstIndex { minutes <= $0 } ?? 7]
            * ((1...8).contains(risk) ? transmissionRisk[risk - 1] : 1)
        return score >= minimum ? score : 0
    }
}
