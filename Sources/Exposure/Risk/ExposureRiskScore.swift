/// The first of the two models that phones have had: a product of four entries of tables (ExposureConfiguration, version 1).
public struct ExposureRiskScore: Equatable, Sendable {
    /// For attenuations above 73, 63, 51, 33, 27, 15 and 10 dB, and for others.
    public let attenuation: [Int]
    /// For 14 days ago and more, 12, 10, 8, 6, 4, 2, and for later.
    public let daysSinceExposure: [Int]
    /// For 0 minutes, up to 5, 10, 15, 20, 25 and 30, and for more.
    public let duration: [Int]
    /// For the keys' transmission risks, 1 through 8.
    public let transmissionRisk: [Int]
    /// What is less counts as 0.
    public let minimum: Int

    /// Corona-Warn-App of 2020, as its server's repository has it at 752f6d7: 10 minutes at least up to 73 dB, times the key's
    /// own risk from 3 on; what is below 11 does not count.
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

    /// - Parameter transmissionRisk: of the key; 0, or none that there is, has the factor 1.
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
