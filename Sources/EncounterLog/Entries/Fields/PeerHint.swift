/// How the agent recognised a peer as one of interest. Values without a name here are read unchanged.
public struct PeerHint: RawRepresentable, Equatable, BitwiseCopyable, Sendable {
    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// It advertised Herald's current service.
    public static let heraldService = PeerHint(rawValue: 0)
    /// It advertised the service of Herald before version 2.
    public static let legacyService = PeerHint(rawValue: 1)
    public static let bothServices = PeerHint(rawValue: 2)
    /// An Apple device in the background: the overflow area has its services as a bit mask.
    public static let appleOverflow = PeerHint(rawValue: 3)
    /// It connected to us.
    public static let connectedToUs = PeerHint(rawValue: 4)
    // It advertised another scheme's service or service data.
    public static let exposureNotification = PeerHint(rawValue: 5)
    public static let robert = PeerHint(rawValue: 6)
    public static let dp3t = PeerHint(rawValue: 7)
    public static let tcn = PeerHint(rawValue: 8)
    /// BlueTrace, under the service of one of its apps: OpenTrace, TraceTogether, COVIDSafe.
    public static let blueTrace = PeerHint(rawValue: 9)
    // Schemes whose identities are read over a connection.
    public static let sonar = PeerHint(rawValue: 10)
    public static let covidTracer = PeerHint(rawValue: 11)
    public static let bleProximity = PeerHint(rawValue: 12)
    /// An advert without any identification, as CovidTracer's phones send it.
    public static let emptyAdvert = PeerHint(rawValue: 13)

    public var text: StaticString {
        switch self {
        case .heraldService: "Herald's service"
        case .legacyService: "Herald's legacy service"
        case .bothServices: "both of Herald's services"
        case .appleOverflow: "Apple's overflow area"
        case .connectedToUs: "its connection to the board"
        case .exposureNotification: "an advert of Exposure Notification"
        case .robert: "an advert of ROBERT"
        case .dp3t: "an advert of DP-3T"
        case .tcn: "an advert of TCN"
        case .blueTrace: "an advert of BlueTrace"
        case .sonar: "Sonar's service"
        case .covidTracer: "CovidTracer's service"
        case .bleProximity: "BLE-Proximity's service"
        case .emptyAdvert: "an advert without identification"
        default: "an unknown method"
        }
    }
}
