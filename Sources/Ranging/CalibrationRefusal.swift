/// Why walk tests do not make a calibration.
public enum CalibrationRefusal: Error, Equatable, CustomStringConvertible {
    case tooFewSessions(Int)
    case tooFewDistances(session: String, models: ModelPair, count: Int)
    case rangeTooShort(centimetres: Double)
    /// One file counted as two sessions would be tested on itself.
    case sameFileTwice(fileName: String, sha256: String)
    case signalDoesNotFall(exponent: Double)

    public static let fewestSessions = 3
    public static let fewestDistances = 5
    public static let shortestRangeCentimetres = 100.0
    /// In free space the exponent is 2 and along corridors down to about 1. Less than this tells no
    /// distances.
    public static let leastExponent = 0.3

    public var description: String {
        switch self {
        case .tooFewSessions(let count):
            "\(count) session\(count == 1 ? "" : "s"): a calibration needs walk tests of at least \(Self.fewestSessions), "
                + "because its coverage is measured on sessions left out of the fit"
        case .tooFewDistances(let session, let models, let count):
            "session \(session), \(models): \(count) distances; a walk test needs at least "
                + "\(Self.fewestDistances)"
        case .rangeTooShort(let centimetres):
            "the walk tests reach \(Int(centimetres.rounded())) cm; one must reach at least "
                + "\(Int(Self.shortestRangeCentimetres)) cm"
        case .sameFileTwice(let fileName, let sha256):
            "\(fileName) is given twice, maybe under another name (SHA-256 \(sha256.prefix(16))…)"
        case .signalDoesNotFall(let exponent):
            "RSSI does not fall with distance in these walk tests (path loss exponent "
                + "\((exponent * 100).rounded() / 100), at least \(Self.leastExponent) is needed)"
        }
    }
}
