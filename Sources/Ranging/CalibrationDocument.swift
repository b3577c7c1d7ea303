import Foundation

/// A stored calibration as its file has it. ``calibration()`` checks what the types cannot.
struct CalibrationDocument: Codable {
    struct Header: Codable {
        var format: String
        var version: Int
    }

    struct Model: Codable {
        var exponent, placeDeviationDB, sessionDeviationDB, rangeCentimetres: Double
    }

    struct Pair: Codable {
        var receiver, transmitter: String
        var levelDBm, readingVarianceDB2: Double
        var sessions: Int
    }

    struct Source: Codable {
        var session, receiver, transmitter, file, sha256: String
        var readings, distances: Int
        var farthestCentimetres: Double
        var firstReading, lastReading: Date
    }

    struct Run: Codable {
        var session, receiver, transmitter: String
        var calibrated: Bool
        /// Missing if the run could not be evaluated.
        var figures: Figures?
    }

    struct Figures: Codable {
        var windows: Int
        var coverage, meanWidthCentimetres, openShare, priorWidthCentimetres: Double
    }

    var format = DistanceCalibration.formatName
    var version = DistanceCalibration.formatVersion
    var created: Date
    /// The nominal coverage of intervals.
    var coverage: Double
    var model: Model
    var pairs: [Pair]
    var sources: [Source]
    /// Each run with its session left out of the fit.
    var leaveOneSessionOut: [Run]

    init(_ calibration: DistanceCalibration) {
        created = calibration.created
        coverage = DistanceCalibration.coverage
        let fitted = calibration.model
        model = Model(
            exponent: fitted.exponent, placeDeviationDB: fitted.placeDeviationDB,
            sessionDeviationDB: fitted.sessionDeviationDB, rangeCentimetres: fitted.rangeCentimetres)
        pairs = fitted.levels.sorted { $0.key < $1.key }.map { models, level in
            Pair(
                receiver: models.receiver, transmitter: models.transmitter, levelDBm: level.levelDBm,
                readingVarianceDB2: level.readingVariance, sessions: level.sessionCount)
        }
        sources = calibration.sources.map {
            Source(
                session: $0.session, receiver: $0.models.receiver, transmitter: $0.models.transmitter,
                file: $0.file.fileName, sha256: $0.file.sha256, readings: $0.readingCount,
                distances: $0.distanceCount, farthestCentimetres: $0.farthestCentimetres,
                firstReading: $0.firstReading, lastReading: $0.lastReading)
        }
        leaveOneSessionOut = calibration.evaluation.runs.map {
            Run(
                session: $0.session, receiver: $0.models.receiver, transmitter: $0.models.transmitter,
                calibrated: $0.isCalibrated, figures: $0.figures.map(Figures.init))
        }
    }

    /// The key that an error of `JSONDecoder` is about.
    static func name(of error: any Error) -> String {
        var path: [any CodingKey] = []
        switch error as? DecodingError {
        case .keyNotFound(let key, let context): path = context.codingPath + [key]
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            path = context.codingPath
        default: break
        }
        let name = path.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
        return name.isEmpty ? "format" : name
    }

    func calibration() throws(DistanceCalibration.FileFailure) -> DistanceCalibration {
        try check(coverage == DistanceCalibration.coverage, "coverage")
        return DistanceCalibration(
            created: created, sources: try checkedSources(),
            evaluation: CoverageEvaluation(runs: try checkedRuns()), model: try checkedModel())
    }

    private func checkedModel() throws(DistanceCalibration.FileFailure) -> PathLossModel {
        try check((CalibrationRefusal.leastExponent...10).contains(model.exponent), "model.exponent")
        try check(
            (PathLossModel.smallestPlaceDeviationDB...50).contains(model.placeDeviationDB),
            "model.placeDeviationDB")
        try check((0...50).contains(model.sessionDeviationDB), "model.sessionDeviationDB")
        try check(
            (CalibrationRefusal.shortestRangeCentimetres...WalkTest.allowedDistancesCentimetres.upperBound)
                .contains(model.rangeCentimetres), "model.rangeCentimetres")
        var levels: [ModelPair: PathLossModel.PairLevel] = [:]
        for (index, pair) in pairs.enumerated() {
            let models = try checkedModels(pair.receiver, pair.transmitter, "pairs.\(index)")
            try check(
                levels[models] == nil && (-300...300).contains(pair.levelDBm)
                    && (0...30_000).contains(pair.readingVarianceDB2) && pair.sessions > 0, "pairs.\(index)")
            levels[models] = PathLossModel.PairLevel(
                levelDBm: pair.levelDBm, sessionCount: pair.sessions,
                readingVariance: pair.readingVarianceDB2)
        }
        try check(!levels.isEmpty, "pairs")
        return PathLossModel(
            exponent: model.exponent, placeDeviationDB: model.placeDeviationDB,
            sessionDeviationDB: model.sessionDeviationDB, rangeCentimetres: model.rangeCentimetres,
            levels: levels)
    }

    private func checkedSources() throws(DistanceCalibration.FileFailure) -> [DistanceCalibration.Source] {
        var checked: [DistanceCalibration.Source] = []
        for (index, source) in sources.enumerated() {
            let name = "sources.\(index)"
            guard let file = WalkTest.Source(fileName: source.file, sha256: source.sha256) else {
                throw .valueInvalid(name)
            }
            try check(
                ModelPair.isName(source.session) && source.readings > 0 && source.distances > 0
                    && WalkTest.allowedDistancesCentimetres.contains(source.farthestCentimetres), name)
            checked.append(
                DistanceCalibration.Source(
                    session: source.session,
                    models: try checkedModels(source.receiver, source.transmitter, name), file: file,
                    readingCount: source.readings, distanceCount: source.distances,
                    farthestCentimetres: source.farthestCentimetres, firstReading: source.firstReading,
                    lastReading: source.lastReading))
        }
        return checked
    }

    private func checkedRuns() throws(DistanceCalibration.FileFailure) -> [CoverageEvaluation.Run] {
        var checked: [CoverageEvaluation.Run] = []
        for (index, run) in leaveOneSessionOut.enumerated() {
            let name = "leaveOneSessionOut.\(index)"
            try check(
                ModelPair.isName(run.session) && (run.figures?.isPlausible ?? !run.calibrated), name)
            checked.append(
                CoverageEvaluation.Run(
                    session: run.session, models: try checkedModels(run.receiver, run.transmitter, name),
                    isCalibrated: run.calibrated, figures: run.figures.map(CoverageEvaluation.Figures.init)))
        }
        return checked
    }

    private func checkedModels(
        _ receiver: String, _ transmitter: String, _ name: String
    ) throws(DistanceCalibration.FileFailure) -> ModelPair {
        guard let models = ModelPair(receiver: receiver, transmitter: transmitter) else {
            throw .valueInvalid(name)
        }
        return models
    }

    private func check(_ condition: Bool, _ name: String) throws(DistanceCalibration.FileFailure) {
        guard condition else { throw .valueInvalid(name) }
    }
}

extension CalibrationDocument.Figures {
    fileprivate init(_ figures: CoverageEvaluation.Figures) {
        windows = figures.windowCount
        coverage = figures.coverage
        meanWidthCentimetres = figures.meanWidthCentimetres
        openShare = figures.openShare
        priorWidthCentimetres = figures.priorWidthCentimetres
    }

    fileprivate var isPlausible: Bool {
        let widths = 0...(WalkTest.allowedDistancesCentimetres.upperBound + 5)
        return windows > 0 && (0...1).contains(coverage) && (0...1).contains(openShare)
            && widths.contains(meanWidthCentimetres) && widths.contains(priorWidthCentimetres)
    }
}

extension CoverageEvaluation.Figures {
    fileprivate init(_ stored: CalibrationDocument.Figures) {
        windowCount = stored.windows
        coverage = stored.coverage
        meanWidthCentimetres = stored.meanWidthCentimetres
        openShare = stored.openShare
        priorWidthCentimetres = stored.priorWidthCentimetres
    }
}
