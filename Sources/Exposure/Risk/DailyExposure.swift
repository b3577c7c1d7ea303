/// A day's risk from its exposure windows (DailySummary, the second of the two models that phones have used).
public struct DailyExposure: Equatable, Sendable {
    public let daysSince1970: UInt64
    /// Seconds weighted by nearness, infectiousness and certainty of the report: summed over all windows, and
    /// of the highest window.
    public private(set) var scoreSum = 0.0
    public private(set) var maximumScore = 0.0
    /// Seconds weighted by nearness alone.
    public private(set) var weightedSeconds = 0.0

    /// Summarises windows by day. A day whose windows all score below the minimum is included with zeros.
    public static func days(of windows: [ExposureWindow], by weights: ExposureWeights) -> [DailyExposure] {
        var days: [UInt64: DailyExposure] = [:]
        // Apps get neither revoked reports nor those of an unknown kind.
        for window in windows where ExposureWeights.reportTypes.contains(window.reportType) {
            let number = window.startSeconds / 86_400
            days[number, default: DailyExposure(daysSince1970: number)].add(window, weights)
        }
        return days.values.sorted { $0.daysSince1970 < $1.daysSince1970 }
    }

    private init(daysSince1970: UInt64) { self.daysSince1970 = daysSince1970 }

    private mutating func add(_ window: ExposureWindow, _ weights: ExposureWeights) {
        let seconds = weights.weightedSeconds(of: window)
        let score = weights.score(of: window)
        guard score >= weights.minimumWindowScore else { return }
        scoreSum += score
        maximumScore = max(maximumScore, score)
        weightedSeconds += seconds
    }
}

/// An authority's weights for ``DailyExposure`` (DailySummariesConfig).
public struct ExposureWeights: Equatable, Sendable {
    public static let reportTypes: Set<ExposureReportType> = [
        .confirmedTest, .confirmedClinicalDiagnosis, .selfReport, .recursive,
    ]

    /// Upper bounds in dB, inclusive, of the first three of four classes of attenuation; the first bound that
    /// holds applies.
    public let thresholdsDB: [Int]
    /// The weights of the four classes.
    public let nearness: [Double]
    /// The weight of each infectiousness; 0 if absent.
    public var infectiousness: [Infectiousness: Double]
    public var reports: [ExposureReportType: Double]
    /// Windows with a lower score do not count.
    public var minimumWindowScore = 0.0

    public init(
        thresholdsDB: (Int, Int, Int), nearness: (Double, Double, Double, Double),
        infectiousness: [Infectiousness: Double] = [.standard: 1, .high: 1],
        reports: [ExposureReportType: Double] = Dictionary(
            uniqueKeysWithValues: reportTypes.map { ($0, 1) }),
        minimumWindowScore: Double = 0
    ) {
        self.thresholdsDB = [thresholdsDB.0, thresholdsDB.1, thresholdsDB.2]
        self.nearness = [nearness.0, nearness.1, nearness.2, nearness.3]
        self.infectiousness = infectiousness
        self.reports = reports
        self.minimumWindowScore = minimumWindowScore
    }

    public func weightedSeconds(of window: ExposureWindow) -> Double {
        window.scans.reduce(0) { sum, scan in
            let place = thresholdsDB.firstIndex { scan.typicalAttenuationDB <= $0 } ?? thresholdsDB.count
            return sum + Double(scan.secondsSinceLastScan) * nearness[place]
        }
    }

    public func score(of window: ExposureWindow) -> Double {
        weightedSeconds(of: window) * reports[window.reportType, default: 0]
            * infectiousness[window.infectiousness, default: 0]
    }
}
