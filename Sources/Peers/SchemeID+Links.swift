import EncounterLog
import Schemes

/// The schemes beside Herald whose identities devices read from each other over links.
extension SchemeID {
    /// The number of these schemes.
    public static var linkCount: Int { 3 }

    /// Finds a scheme by its position in the order in which the agent searches a link; nil past the last.
    public init?(linkIndex: Int) {
        switch linkIndex {
        case 0: self = .sonar
        case 1: self = .covidTracer
        case 2: self = .bleProximity
        default: return nil
        }
    }

    /// The scheme's position in that order; nil for a scheme that links do not serve.
    public var linkIndex: Int? {
        switch self {
        case .sonar: 0
        case .covidTracer: 1
        case .bleProximity: 2
        case .herald, .exposureNotification, .robert, .dp3t, .tcn: nil
        }
    }

    /// The hint by which the recorder recognises a device of this scheme; nil for Herald, which has several.
    public var hint: PeerHint? {
        switch self {
        case .herald: nil
        case .sonar: .sonar
        case .covidTracer: .covidTracer
        case .bleProximity: .bleProximity
        case .exposureNotification: .exposureNotification
        case .robert: .robert
        case .dp3t: .dp3t
        case .tcn: .tcn
        }
    }

    /// The number of leading bytes of an identity that name a device. The time and the code that follow in
    /// Sonar's payload differ at each read.
    var namingByteCount: Int { self == .sonar ? 108 : 129 }
}
