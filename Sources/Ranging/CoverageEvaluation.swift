/// How often intervals have the true distance, in sessions that they were not fitted to.
///
/// Each session is left out in turn, the model is fitted to the others, and every short window of the
/// session's runs gets an interval. Within a run every distance counts the same, however long the phones lay
/// there.
public struct CoverageEvaluation: Sendable, Equatable {
    public struct Run: Sendable, Equatable {
        public let session: String
        public let models: ModelPair
        /// Whether another session has the same pair of models. If not, a contact would be "not calibrated",
        /// and the figures are of what is refused: intervals as if all pairs were alike.
        public let isCalibrated: Bool
        /// Nil if too little is left to fit to without this session.
        public let figures: Figures?
    }

    public struct Figures: Sendable, Equatable {
        public let windowCount: Int
        /// The share of distances that are within their interval.
        public let coverage: Double
        /// Open intervals count up to the end of the calibration's range.
        public let meanWidthCentimetres: Double
        public let openShare: Double
        /// The width of the interval that the same fit would give without RSSI.
        public let priorWidthCentimetres: Double
    }

    /// Means over sessions of equal weight; a session's is the mean of its runs.
    public struct Pooled: Sendable, Equatable {
        public let sessionCount: Int
        public let runCount: Int
        public let coverage: Double
        public let meanWidthCentimetres: Double
        public let priorWidthCentimetres: Double
    }

    /// Every run, in order of session and models.
    public let runs: [Run]

    init(runs: [Run]) { self.runs = runs }

    init(leavingOutSessionsOf tests: [WalkTestSummary]) {
        var runs: [Run] = []
        for session in Set(tests.map(\.session)).sorted() {
            let model = PathLossModel(tests.filter { $0.session != session })
            for test in tests where test.session == session {
                let ofPair = DistanceEstimator(model, of: test.models)
                let estimator = ofPair ?? DistanceEstimator(ofUnknownPairBy: model)
                let isFit = model.exponent >= CalibrationRefusal.leastExponent
                runs.append(
                    Run(
                        session: session, models: test.models, isCalibrated: isFit && ofPair != nil,
                        figures: isFit ? estimator.map { Figures(test, $0, model) } : nil))
            }
        }
        self.runs = runs.sorted { ($0.session, $0.models) < ($1.session, $1.models) }
    }

    /// Of runs whose pair another session has: the coverage of what contacts get. Nil if there is none.
    public var calibrated: Pooled? { Pooled(runs.filter(\.isCalibrated)) }

    /// Of all runs, including those that would be "not calibrated".
    public var all: Pooled? { Pooled(runs) }
}

extension CoverageEvaluation.Figures {
    fileprivate init(_ test: WalkTestSummary, _ estimator: DistanceEstimator, _ model: PathLossModel) {
        let places = test.places.map { place in
            (
                distance: place.distanceCentimetres,
                intervals: place.windows.map {
                    estimator.interval($0, coverage: DistanceCalibration.coverage)
                }
            )
        }
        func meanOfPlaces(_ value: (DistanceInterval, _ distance: Double) -> Double) -> Double {
            places.mean { place in place.intervals.mean { value($0, place.distance) } }
        }
        windowCount = places.reduce(0) { $0 + $1.intervals.count }
        coverage = meanOfPlaces { $0.contains(centimetres: $1) ? 1 : 0 }
        meanWidthCentimetres = meanOfPlaces { interval, _ in Double(interval.widthCentimetres) }
        openShare = meanOfPlaces { interval, _ in interval.upperCentimetres == nil ? 1 : 0 }
        priorWidthCentimetres = Double(
            DistancePosterior.priorWidthCentimetres(
                coverage: DistanceCalibration.coverage, rangeCentimetres: model.rangeCentimetres))
    }
}

extension CoverageEvaluation.Pooled {
    fileprivate init?(_ runs: [CoverageEvaluation.Run]) {
        let sessions = Dictionary(grouping: runs.filter { $0.figures != nil }, by: \.session)
            .sorted { $0.key < $1.key }.map { $0.value.compactMap(\.figures) }
        guard !sessions.isEmpty else { return nil }
        sessionCount = sessions.count
        runCount = sessions.reduce(0) { $0 + $1.count }
        coverage = sessions.mean { $0.mean(\.coverage) }
        meanWidthCentimetres = sessions.mean { $0.mean(\.meanWidthCentimetres) }
        priorWidthCentimetres = sessions.mean { $0.mean(\.priorWidthCentimetres) }
    }
}
