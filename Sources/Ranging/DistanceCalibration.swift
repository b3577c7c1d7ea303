import Foundation

/// The relation of RSSI and distance, fitted to walk tests, per pair of models.
///
/// A pair of models is calibrated if a walk test has it. Any other pair gets no estimate.
public struct DistanceCalibration: Sendable, Equatable {
    /// The nominal coverage of intervals. ``evaluation`` has the measured coverage.
    public static let coverage = 0.8
    static var coveragePercent: Int { Int((coverage * 100).rounded()) }

    /// A walk test that the calibration was made of.
    public struct Source: Sendable, Equatable {
        public let session: String
        public let models: ModelPair
        public let file: WalkTest.Source
        public let readingCount: Int
        public let distanceCount: Int
        public let farthestCentimetres: Double
        /// Times of the first and the last reading, in whole seconds of the log's clock.
        public let firstReading: Date
        public let lastReading: Date
    }

    /// In whole seconds.
    public let created: Date
    public let sources: [Source]
    public let evaluation: CoverageEvaluation
    let model: PathLossModel

    /// Fits to walk tests and measures the coverage by leaving out one session at a time. The result does not
    /// depend on the order of the walk tests.
    public init(walkTests: [WalkTest], created: Date) throws(CalibrationRefusal) {
        let tests = walkTests.sorted {
            ($0.session, $0.models, $0.source.sha256) < ($1.session, $1.models, $1.source.sha256)
        }
        let summaries = tests.map(WalkTestSummary.init)
        try Self.check(tests, summaries)
        let model = PathLossModel(summaries)
        guard model.exponent >= CalibrationRefusal.leastExponent else {
            throw .signalDoesNotFall(exponent: model.exponent)
        }
        self.model = model
        evaluation = CoverageEvaluation(leavingOutSessionsOf: summaries)
        sources = zip(tests, summaries).map(Source.init)
        self.created = created.wholeSeconds
    }

    init(created: Date, sources: [Source], evaluation: CoverageEvaluation, model: PathLossModel) {
        self.created = created
        self.sources = sources
        self.evaluation = evaluation
        self.model = model
    }

    /// The pairs that have estimates.
    public var calibratedPairs: [ModelPair] { model.levels.keys.sorted() }

    /// The number of sessions with walk tests of a pair; zero if it is not calibrated.
    public func sessionCount(of models: ModelPair) -> Int { model.levels[models]?.sessionCount ?? 0 }

    /// The farthest distance of the walk tests; what lies beyond is "or more".
    public var rangeCentimetres: Double { model.rangeCentimetres }
    public var pathLossExponent: Double { model.exponent }
    /// How RSSI differs from place to place within a session, by multipath.
    public var placeDeviationDB: Double { model.placeDeviationDB }
    /// How RSSI at the same distance differs from session to session.
    public var sessionDeviationDB: Double { model.sessionDeviationDB }

    /// Estimates the distance of a signal from its mean RSSI.
    ///
    /// - Parameters:
    ///   - signal: of a time during which the distance hardly changed. Estimate a longer contact in parts.
    ///   - models: nil if one of the two is unknown.
    public func estimate(_ signal: SignalSummary, of models: ModelPair?) -> DistanceEstimate {
        guard let models else { return .notCalibrated(.modelUnknown) }
        guard let estimator = DistanceEstimator(model, of: models) else {
            return .notCalibrated(.pairWithoutWalkTest(models))
        }
        return .interval(estimator.interval(signal, coverage: Self.coverage))
    }

    private static func check(
        _ tests: [WalkTest], _ summaries: [WalkTestSummary]
    ) throws(CalibrationRefusal) {
        var digests: Set<String> = []
        for test in tests where !digests.insert(test.source.sha256).inserted {
            throw .sameFileTwice(fileName: test.source.fileName, sha256: test.source.sha256)
        }
        let sessionCount = Set(summaries.map(\.session)).count
        guard sessionCount >= CalibrationRefusal.fewestSessions else { throw .tooFewSessions(sessionCount) }
        for summary in summaries where summary.places.count < CalibrationRefusal.fewestDistances {
            throw .tooFewDistances(
                session: summary.session, models: summary.models, count: summary.places.count)
        }
        let range = summaries.reduce(0) { max($0, $1.farthestCentimetres) }
        guard range >= CalibrationRefusal.shortestRangeCentimetres else {
            throw .rangeTooShort(centimetres: range)
        }
    }
}

extension DistanceCalibration.Source {
    fileprivate init(_ test: WalkTest, _ summary: WalkTestSummary) {
        session = test.session
        models = test.models
        file = test.source
        readingCount = test.readings.count
        distanceCount = summary.places.count
        farthestCentimetres = summary.farthestCentimetres
        let times = test.readings.lazy.map(\.seconds)
        firstReading = Date(timeIntervalSince1970: times.min() ?? 0).wholeSeconds
        lastReading = Date(timeIntervalSince1970: times.max() ?? 0).wholeSeconds
    }
}

extension Date {
    /// Stored calibrations have times in seconds; fractions would be lost on the way.
    fileprivate var wholeSeconds: Date {
        Date(timeIntervalSince1970: timeIntervalSince1970.rounded(.down))
    }
}
