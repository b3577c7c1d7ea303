import Foundation

/// RSSI by distance: the log-distance path loss model, with a level per pair of models.
///
/// At one place of one session a mean RSSI is `level − 10 · exponent · log10((distance + 10 cm) / 1 m) +
/// session + place + readings`, where the last three are errors: of the session, which all its places share;
/// of the place, by multipath; and of the readings around their mean. Exponent and the errors of session and
/// place are common to all pairs, because single pairs have too few sessions for their own.
struct PathLossModel: Sendable, Equatable {
    struct PairLevel: Sendable, Equatable {
        /// The mean RSSI at 90 cm, where the logarithm is zero.
        var levelDBm: Double
        /// The sessions that the level is the mean of.
        var sessionCount: Int
        /// Of readings at one place around their mean.
        var readingVariance: Double
    }

    /// Added to every distance. At 0 cm phones touch, but their antennas are some centimetres apart, and the
    /// logarithm would have no value. Residuals of the published runs are 4.6 to 4.8 dB for any of 1 to 20
    /// cm.
    static let antennaOffsetCentimetres = 10.0
    /// The deviation between sessions that is assumed before there are repeated sessions, and the number of
    /// sessions' worth of evidence that this assumption counts. A new calibration has too few repetitions to
    /// measure it, and must not take two sessions that happen to agree for proof that all do.
    static let assumedSessionDeviationDB = 3.5
    static let assumedSessionWeight = 4.0
    /// No RSSI is better than its resolution of 1 dB.
    static let smallestPlaceDeviationDB = 1.0

    var exponent: Double
    var placeDeviationDB: Double
    var sessionDeviationDB: Double
    var rangeCentimetres: Double
    var levels: [ModelPair: PairLevel]

    /// Fits to sessions of equal weight, in which every place has equal weight.
    init(_ tests: [WalkTestSummary]) {
        let runsOfSession = Dictionary(grouping: tests, by: \.session).mapValues { Double($0.count) }
        let runs = tests.map { Run($0, weight: 1 / (runsOfSession[$0.session] ?? 1)) }
        let totalWeight = runs.reduce(0) { $0 + $1.weight }

        let covariance = runs.reduce(0) { $0 + $1.weight * $1.covariance }
        let variance = runs.reduce(0) { $0 + $1.weight * $1.lossVariance }
        let exponent = variance > 0 ? covariance / variance : 0
        self.exponent = exponent

        let placeVariance = runs.reduce(0) { $0 + $1.weight * $1.residualVariance(exponent) } / totalWeight
        placeDeviationDB = max(Self.smallestPlaceDeviationDB, placeVariance.squareRoot())

        var squares = 0.0
        var freedom = 0
        var levels: [ModelPair: PairLevel] = [:]
        // In order, because sums of floating-point numbers depend on theirs.
        for (models, runs) in Dictionary(grouping: runs, by: \.models).sorted(by: { $0.key < $1.key }) {
            let ofSessions = Dictionary(grouping: runs, by: \.session).sorted { $0.key < $1.key }
                .map { $0.value.mean { $0.level(exponent) } }
            let level = ofSessions.mean { $0 }
            squares += ofSessions.reduce(0) { $0 + ($1 - level) * ($1 - level) }
            freedom += ofSessions.count - 1
            levels[models] = PairLevel(
                levelDBm: level, sessionCount: ofSessions.count,
                readingVariance: runs.mean(\.readingVariance))
        }
        self.levels = levels
        let assumed =
            Self.assumedSessionWeight * Self.assumedSessionDeviationDB * Self.assumedSessionDeviationDB
        sessionDeviationDB = ((assumed + squares) / (Self.assumedSessionWeight + Double(freedom)))
            .squareRoot()
        rangeCentimetres = tests.reduce(0) { max($0, $1.farthestCentimetres) }
    }

    init(
        exponent: Double, placeDeviationDB: Double, sessionDeviationDB: Double, rangeCentimetres: Double,
        levels: [ModelPair: PairLevel]
    ) {
        self.exponent = exponent
        self.placeDeviationDB = placeDeviationDB
        self.sessionDeviationDB = sessionDeviationDB
        self.rangeCentimetres = rangeCentimetres
        self.levels = levels
    }

    /// `−10 · log10((distance + 10 cm) / 1 m)`, which the exponent multiplies.
    static func loss(atCentimetres distance: Double) -> Double {
        -10 * log10((distance + antennaOffsetCentimetres) / 100)
    }

    /// The error of a mean RSSI in a session that the model was not fitted to.
    func deviationDB(of signal: SignalSummary, at level: PairLevel) -> Double {
        let session = sessionDeviationDB * sessionDeviationDB * (1 + 1 / Double(level.sessionCount))
        // Readings at one place share its multipath, so that more of them only reduce their own scatter.
        let readings = level.readingVariance / Double(signal.readingCount)
        return (session + placeDeviationDB * placeDeviationDB + readings).squareRoot()
    }

    /// The level that an unknown pair would get if it were like the average of the known ones, and its
    /// deviation. It only serves to evaluate estimates that contacts never get.
    func levelOfUnknownPair() -> (level: PairLevel, deviationDB: Double)? {
        let known = levels.sorted { $0.key < $1.key }.map(\.value)
        guard known.count > 1 else { return nil }
        let mean = known.mean(\.levelDBm)
        let count = Double(known.count)
        let variance = known.reduce(0) { $0 + ($1.levelDBm - mean) * ($1.levelDBm - mean) } / (count - 1)
        let level = PairLevel(
            levelDBm: mean, sessionCount: 1, readingVariance: known.mean(\.readingVariance))
        return (level, (variance * (1 + 1 / count)).squareRoot())
    }
}

/// A walk test's places, reduced to what the fit needs.
private struct Run {
    let session: String
    let models: ModelPair
    let weight: Double
    let readingVariance: Double
    let lossVariance: Double
    let covariance: Double
    private let meanLoss: Double
    private let meanRSSIDBm: Double
    private let rssiVariance: Double
    private let placeCount: Int

    init(_ test: WalkTestSummary, weight: Double) {
        session = test.session
        models = test.models
        self.weight = weight
        let points = test.places.map {
            (loss: PathLossModel.loss(atCentimetres: $0.distanceCentimetres), rssi: $0.meanRSSIDBm)
        }
        let meanLoss = points.mean(\.loss)
        let meanRSSI = points.mean(\.rssi)
        lossVariance = points.mean { ($0.loss - meanLoss) * ($0.loss - meanLoss) }
        covariance = points.mean { ($0.loss - meanLoss) * ($0.rssi - meanRSSI) }
        rssiVariance = points.mean { ($0.rssi - meanRSSI) * ($0.rssi - meanRSSI) }
        readingVariance = test.places.mean(\.readingVariance)
        self.meanLoss = meanLoss
        meanRSSIDBm = meanRSSI
        placeCount = points.count
    }

    func level(_ exponent: Double) -> Double { meanRSSIDBm - exponent * meanLoss }

    /// Of the places around the model, without bias for the level that was fitted to them.
    func residualVariance(_ exponent: Double) -> Double {
        let variance = rssiVariance - 2 * exponent * covariance + exponent * exponent * lossVariance
        return max(0, variance) * Double(placeCount) / Double(max(1, placeCount - 1))
    }
}
