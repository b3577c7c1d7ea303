/// A model's intervals for one pair of models.
struct DistanceEstimator {
    private let model: PathLossModel
    private let level: PathLossModel.PairLevel
    /// Beyond the model's own errors; of a pair that it does not know.
    private let levelDeviationDB: Double
    private let posterior: DistancePosterior

    /// - Returns: nil if the model was not fitted to this pair.
    init?(_ model: PathLossModel, of models: ModelPair) {
        guard let level = model.levels[models] else { return nil }
        self.init(model, level, levelDeviationDB: 0)
    }

    /// For a pair that the model was not fitted to, as if all pairs were alike. It only serves to show what
    /// an estimate would be worth that is refused.
    init?(ofUnknownPairBy model: PathLossModel) {
        guard let unknown = model.levelOfUnknownPair() else { return nil }
        self.init(model, unknown.level, levelDeviationDB: unknown.deviationDB)
    }

    private init(_ model: PathLossModel, _ level: PathLossModel.PairLevel, levelDeviationDB: Double) {
        self.model = model
        self.level = level
        self.levelDeviationDB = levelDeviationDB
        posterior = DistancePosterior(
            levelDBm: level.levelDBm, exponent: model.exponent, rangeCentimetres: model.rangeCentimetres)
    }

    func interval(_ signal: SignalSummary, coverage: Double) -> DistanceInterval {
        let own = model.deviationDB(of: signal, at: level)
        let deviation = (own * own + levelDeviationDB * levelDeviationDB).squareRoot()
        return posterior.interval(rssiDBm: signal.meanRSSIDBm, deviationDB: deviation, coverage: coverage)
    }
}
