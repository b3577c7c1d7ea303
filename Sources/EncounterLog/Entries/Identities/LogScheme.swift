/// The family of identities that one belongs to. Values not named here survive being read.
public struct LogScheme: RawRepresentable, Hashable, BitwiseCopyable, Sendable {
    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let herald = LogScheme(rawValue: 1)
    public static let sonar = LogScheme(rawValue: 2)
    public static let covidTracer = LogScheme(rawValue: 3)
    public static let bleProximity = LogScheme(rawValue: 4)
    public static let exposureNotification = LogScheme(rawValue: 5)
    // Recognised, and no more.
    public static let robert = LogScheme(rawValue: 6)
    public static let dp3t = LogScheme(rawValue: 7)
    public static let tcn = LogScheme(rawValue: 8)

    /// As on the command line and in exports; nil of a value that is not named here.
    public var name: StaticString? {
        switch self {
        case .herald: "herald"
        case .sonar: "sonar"
        case .covidTracer: "covid-tracer"
        case .bleProximity: "ble-proximity"
        case .exposureNotification: "exposure-notification"
        case .robert: "robert"
        case .dp3t: "dp3t"
        case .tcn: "tcn"
        default: nil
        }
    }
}
