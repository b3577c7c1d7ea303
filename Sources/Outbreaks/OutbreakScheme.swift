import Archive
import EncounterLog
import Reports
import Simulator

/// The schemes by which an outbreak can be traced.
public enum OutbreakScheme: String, CaseIterable, Sendable {
    case herald
    case sonar
    case covidTracer = "covid-tracer"
    case bleProximity = "ble-proximity"
    case exposureNotification = "exposure-notification"

    /// The settings of a board that takes part.
    var settings: [String] {
        switch self {
        case .herald: []
        case .sonar: ["schemes.sonar=on"]
        case .covidTracer: ["schemes.covid_tracer=on"]
        case .bleProximity: ["schemes.ble_proximity=on"]
        case .exposureNotification: ["schemes.exposure_notification=on"]
        }
    }

    private var logged: SchemeCode {
        switch self {
        case .herald: .herald
        case .sonar: .sonar
        case .covidTracer: .covidTracer
        case .bleProximity: .bleProximity
        case .exposureNotification: .exposureNotification
        }
    }

    /// The number of days for which a contact is kept.
    var retentionDays: Int { ContactRetention()[.scheme(logged)] }

    /// Whether the authority publishes keys or identities that wearers search for in their own records.
    /// Sonar's patients report their contacts instead, of all days that they have kept.
    var isPublished: Bool { self != .sonar }

    /// The first day with meetings that must be found, counted from the beginning of the world.
    func firstDay(_ plan: OutbreakPlan) -> UInt64 {
        if isPublished { return plan.reportedDays.lowerBound }
        // The patient reports on the day after the last one.
        let kept = UInt64(SonarSubmission.retentionDays)
        return plan.days + 1 > kept ? plan.days + 1 - kept : 0
    }
}
