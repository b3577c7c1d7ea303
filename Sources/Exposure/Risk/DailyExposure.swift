/// A day's risk from its windows (DailySummary, the second of the two models that phones have had).
public struct DailyExposure: Equatable, Sendable {
    public let daysSince1970: UInt64
    /// Seconds, weighted by how near, how infectious and how certain: of all windows, and of the one with the most.
    public private(set) var scoreSum = 0.0
    public private(set) var maximumScore = 0.0
    /// Seconds, weighted by how near alone.
    public private(set) var weightedSeconds = 0.0

    /// By days. A day whose windows all stay below the least score is there, with zeros.
    public static func days(of windows: [ExposureWindow], by weights: ExposureWeights) -> [DailyExposure] {
        var days: [UInt64: DailyExposure] = [:]
        // Revoked reports, and those of an unknown kind, are not for apps.
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

    /// Upper bounds of the first three classes of nearness, each still in its class; the first of these that holds counts.
    public let thresholdsDB: [Int]
    /// Of the four classes.
    public let nearness: [Double]
    /// 0 where there is none.
    public var infectiousness: [Infectiousness: Double]
    public var reports: [ExposureReportType: Double]
    /// Windows below this do not count.
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
