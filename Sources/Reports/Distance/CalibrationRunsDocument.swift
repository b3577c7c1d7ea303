import Ranging

/// How often intervals had the true distance, as `tabardctl calibrate --json` and `--csv` print it.
public struct CalibrationRunsDocument: PrintedDocument {
    public static let schema = PrintedSchema("calibration-runs")

    public let runs: [Run]
    /// Of the pairs that another session has; null without one.
    @NullIfUnknown public private(set) var calibrated: Pooled?
    @NullIfUnknown public private(set) var all: Pooled?

    public struct Run: Encodable, Sendable {
        public let session: String
        public let receiver: String
        public let transmitter: String
        /// Whether another session has this pair of models.
        public let isCalibrated: Bool
        /// This and the next are null if too little was left to fit to.
        @NullIfUnknown public private(set) var coverage: Double?
        @NullIfUnknown public private(set) var meanWidthCentimetres: Double?
        @NullIfUnknown public private(set) var openShare: Double?
        @NullIfUnknown public private(set) var priorWidthCentimetres: Double?
        @NullIfUnknown public private(set) var windows: Int?

        init(_ run: CoverageEvaluation.Run) {
            session = run.session
            receiver = run.models.receiver
            transmitter = run.models.transmitter
            isCalibrated = run.isCalibrated
            coverage = run.figures?.coverage
            meanWidthCentimetres = run.figures?.meanWidthCentimetres
            openShare = run.figures?.openShare
            priorWidthCentimetres = run.figures?.priorWidthCentimetres
            windows = run.figures?.windowCount
        }
    }

    public struct Pooled: Encodable, Sendable {
        public let sessions: Int
        public let coverage: Double
        public let meanWidthCentimetres: Double
        public let priorWidthCentimetres: Double

        init(_ pooled: CoverageEvaluation.Pooled) {
            sessions = pooled.sessionCount
            coverage = pooled.coverage
            meanWidthCentimetres = pooled.meanWidthCentimetres
            priorWidthCentimetres = pooled.priorWidthCentimetres
        }
    }

    public init(_ evaluation: CoverageEvaluation) {
        runs = evaluation.runs.map(Run.init)
        calibrated = evaluation.calibrated.map(Pooled.init)
        all = evaluation.all.map(Pooled.init)
    }

    public static let columns = [
        "session", "receiver", "transmitter", "calibrated", "coverage", "mean_width_centimetres",
        "open_share",
        "prior_width_centimetres", "windows",
    ]

    public var rows: [[String]] {
        runs.map { run in
            [
                run.session, run.receiver, run.transmitter, run.isCalibrated ? "true" : "false",
                run.coverage.map { "\($0)" } ?? "", run.meanWidthCentimetres.map { "\($0)" } ?? "",
                run.openShare.map { "\($0)" } ?? "", run.priorWidthCentimetres.map { "\($0)" } ?? "",
                run.windows.map { "\($0)" } ?? "",
            ]
        }
    }
}
