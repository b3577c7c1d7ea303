import Ranging

/// A distance in JSON: an interval with its coverage, or why there is none.
public struct DistanceDocument: Encodable, Sendable {
    /// Both null if not calibrated.
    @NullIfUnknown public private(set) var lowerCentimetres: Int?
    /// Null, too, if the distance may be farther than the calibration reaches.
    @NullIfUnknown public private(set) var upperCentimetres: Int?
    /// The share of cases in which the interval has the true distance; null if not calibrated.
    @NullIfUnknown public private(set) var coverage: Double?
    /// `noCalibration`, `noReadings`, `modelUnknown` or `pairWithoutWalkTest`; null if calibrated.
    @NullIfUnknown public private(set) var notCalibrated: String?

    public init(_ estimate: DistanceEstimate) {
        lowerCentimetres = estimate.interval?.lowerCentimetres
        upperCentimetres = estimate.interval?.upperCentimetres
        coverage = estimate.interval.map { _ in DistanceCalibration.coverage }
        notCalibrated = estimate.reason?.name
    }

    /// The columns of ``fields``.
    static let columns = ["distance_lower_cm", "distance_upper_cm", "not_calibrated"]

    var fields: [String] {
        [lowerCentimetres, upperCentimetres].map { $0.map { "\($0)" } ?? "" } + [notCalibrated ?? ""]
    }
}

extension DistanceEstimate {
    /// For lists of people.
    public var shortText: String { interval.map { "\($0)" } ?? "not calibrated" }
}
