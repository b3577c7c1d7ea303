/// The distance of a contact according to a calibration: an interval, or why there is none. A single number
/// of metres would hide how little RSSI tells.
public enum DistanceEstimate: Sendable, Equatable, CustomStringConvertible {
    case interval(DistanceInterval)
    case notCalibrated(Reason)

    public enum Reason: Sendable, Equatable {
        /// No walk test has this receiver with this transmitter. Levels of other pairs say nothing of it:
        /// those of the published runs differ by 30 dB, which is more than distance changes.
        case pairWithoutWalkTest(ModelPair)
        /// The model of the receiver or of the transmitter is not known.
        case modelUnknown
    }

    public var description: String {
        switch self {
        case .interval(let interval):
            "\(interval) (\(DistanceCalibration.coveragePercent) % interval)"
        case .notCalibrated(.pairWithoutWalkTest(let models)):
            "not calibrated (no walk test of \(models))"
        case .notCalibrated(.modelUnknown):
            "not calibrated (the model of the receiver or the transmitter is unknown)"
        }
    }
}
