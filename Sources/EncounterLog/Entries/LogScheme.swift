/// The scheme that an identity belongs to. Values without a name here are read unchanged.
public struct LogScheme: RawRepresentable, Hashable, BitwiseCopyable, Sendable {
    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let herald = LogScheme(rawValue: 1)
    public static let sonar = LogScheme(rawValue: 2)
    public static let covidTracer = LogScheme(rawValue: 3)
    public static let bleProximity = LogScheme(rawValue: 4)
    public static let exposureNotification = LogScheme(rawValue: 5)
    // The agent only recognises these schemes.
    public static let robert = LogScheme(rawValue: 6)
    public static let dp3t = LogScheme(rawValue: 7)
    public static let tcn = LogScheme(rawValue: 8)

    /// The name on the command line and in exports; nil for a value without a name here.
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
