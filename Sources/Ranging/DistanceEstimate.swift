/// The distance of a contact according to a calibration: an interval, or why there is none. A single number
/// of metres would hide how little RSSI tells.
public enum DistanceEstimate: Sendable, Equatable, CustomStringConvertible {
    case interval(DistanceInterval)
    case notCalibrated(Reason)

    public enum Reason: Sendable, Equatable {
        /// No calibration is at hand.
        case noCalibration
        /// The receiver has no mean RSSI of the transmitter.
        case noReadings
        /// The model of the receiver or of the transmitter is not known.
        case modelUnknown
        /// No walk test has this receiver with this transmitter. Levels of other pairs say nothing of it:
        /// those of the published runs differ by 30 dB, which is more than distance changes.
        case pairWithoutWalkTest(ModelPair)
    }

    /// - Parameters:
    ///   - calibration: nil if there is none.
    ///   - signal: nil without readings.
    ///   - receiver: its model; nil if unknown.
    ///   - transmitter: its model; nil if unknown.
    public init(
        _ calibration: DistanceCalibration?, _ signal: SignalSummary?, receiver: String?, transmitter: String?
    ) {
        guard let calibration else {
            self = .notCalibrated(.noCalibration)
            return
        }
        guard let signal else {
            self = .notCalibrated(.noReadings)
            return
        }
        let models = receiver.flatMap { receiver in
            transmitter.flatMap { ModelPair(receiver: receiver, transmitter: $0) }
        }
        self = calibration.estimate(signal, of: models)
    }

    /// One direction of a contact: how one device heard the other.
    public struct Direction: Sendable, Equatable {
        public let readingCount: Int
        public let estimate: DistanceEstimate

        public init(readingCount: Int, _ estimate: DistanceEstimate) {
            self.readingCount = readingCount
            self.estimate = estimate
        }
    }

    /// The estimate of a contact: the direction with more readings, unless only the other is calibrated. Of
    /// equally many readings the narrower interval counts, so that the order of both does not matter.
    public init(_ one: Direction, _ other: Direction) {
        func rank(_ direction: Direction) -> (Int, Int, Int, Int) {
            let interval = direction.estimate.interval
            return (
                interval == nil ? 1 : 0, -direction.readingCount, interval?.widthCentimetres ?? 0,
                interval?.lowerCentimetres ?? 0
            )
        }
        self = rank(other) < rank(one) ? other.estimate : one.estimate
    }

    /// Nil if not calibrated.
    public var interval: DistanceInterval? {
        guard case .interval(let interval) = self else { return nil }
        return interval
    }

    /// Nil if calibrated.
    public var reason: Reason? {
        guard case .notCalibrated(let reason) = self else { return nil }
        return reason
    }

    public var description: String {
        switch self {
        case .interval(let interval):
            "\(interval) (\(DistanceCalibration.coveragePercent) % interval)"
        case .notCalibrated(let reason): "not calibrated (\(reason))"
        }
    }
}

extension DistanceEstimate.Reason: CustomStringConvertible {
    /// The word in JSON and CSV.
    public var name: String {
        switch self {
        case .noCalibration: "noCalibration"
        case .noReadings: "noReadings"
        case .modelUnknown: "modelUnknown"
        case .pairWithoutWalkTest: "pairWithoutWalkTest"
        }
    }

    public var description: String {
        switch self {
        case .noCalibration: "no calibration"
        case .noReadings: "no readings"
        case .modelUnknown: "the model of the receiver or the transmitter is unknown"
        case .pairWithoutWalkTest(let models): "no walk test of \(models)"
        }
    }
}
