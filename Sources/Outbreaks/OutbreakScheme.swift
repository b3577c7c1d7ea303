/// What an outbreak can be followed by.
public enum OutbreakScheme: String, CaseIterable, Sendable {
    case herald
    case sonar
    case covidTracer = "covid-tracer"
    case bleProximity = "ble-proximity"
    /// Of phones: boards hear them.
    case exposureNotification = "exposure-notification"

    /// Whether only the reported days count: Sonar's patients report whom they met on any.
    var reportsDays: Bool { self != .sonar }

    /// The settings of a board that takes part.
    var settings: [String] {
        switch self {
        case .herald: []
        case .sonar: ["schemes.sonar=on"]
        case .covidTracer: ["schemes.covid_tracer=on"]
        case .bleProximity: ["schemes.ble_proximity=on"]
        case .exposureNotification: ["schemes.exposure_notification=listen"]
        }
    }
}
