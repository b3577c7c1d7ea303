/// A contact-tracing scheme. This is the only enumeration of schemes: log codes, the order of work on links,
/// advertising handles, command-line names and configuration keys are maps of it.
public enum SchemeID: Hashable, BitwiseCopyable, Sendable {
    case herald
    case sonar
    case covidTracer
    case bleProximity
    case exposureNotification
    // The agent records what devices of these schemes advertise, and does not take part in them.
    case robert
    case dp3t
    case tcn

    /// The name on the command line and in exports.
    public var name: StaticString {
        switch self {
        case .herald: "herald"
        case .sonar: "sonar"
        case .covidTracer: "covid-tracer"
        case .bleProximity: "ble-proximity"
        case .exposureNotification: "exposure-notification"
        case .robert: "robert"
        case .dp3t: "dp3t"
        case .tcn: "tcn"
        }
    }

    /// How long an identity lasts, in seconds, where those of all phones end at the same times of the day
    /// (UTC); nil in other schemes.
    public var sharedPeriodSeconds: UInt64? {
        switch self {
        case .sonar: 86_400
        case .covidTracer: 3_600
        case .herald, .bleProximity, .exposureNotification, .robert, .dp3t, .tcn: nil
        }
    }

    /// The configuration key that gives the board an identity in this scheme. Nil if there is none; Herald is
    /// always on.
    public var configurationKey: StaticString? {
        switch self {
        case .sonar: "schemes.sonar"
        case .covidTracer: "schemes.covid_tracer"
        case .bleProximity: "schemes.ble_proximity"
        case .exposureNotification: "schemes.exposure_notification"
        case .herald, .robert, .dp3t, .tcn: nil
        }
    }
}
