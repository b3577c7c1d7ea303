import Schemes

/// The number of a scheme in a log entry (one byte; docs/log-format.md).
///
/// An unknown number survives reading and writing.
public struct SchemeCode: RawRepresentable, Hashable, BitwiseCopyable, Sendable {
    public var rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public init(_ scheme: SchemeID) {
        rawValue =
            switch scheme {
            case .herald: 1
            case .sonar: 2
            case .covidTracer: 3
            case .bleProximity: 4
            case .exposureNotification: 5
            case .robert: 6
            case .dp3t: 7
            case .tcn: 8
            }
    }

    /// The scheme; nil if this version knows none of that number.
    public var id: SchemeID? {
        switch rawValue {
        case 1: .herald
        case 2: .sonar
        case 3: .covidTracer
        case 4: .bleProximity
        case 5: .exposureNotification
        case 6: .robert
        case 7: .dp3t
        case 8: .tcn
        default: nil
        }
    }
}
