import Archive
import EncounterLog
import Exposure
import Simulator

/// What an outbreak can be followed by.
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

    private var logged: LogScheme {
        switch self {
        case .herald: .herald
        case .sonar: .sonar
        case .covidTracer: .covidTracer
        case .bleProximity: .bleProximity
        case .exposureNotification: .exposureNotification
        }
    }

    /// For so long a contact is kept.
    var retentionDays: Int { ContactRetention()[.scheme(logged)] }

    /// Whether the authority publishes what wearers search their own records for. Sonar's patients report whom they met, on any day
    /// of those that they kept.
    var isPublished: Bool { self != .sonar }

    /// The first day, from the beginning of the world, on which a meeting with the patient is to be found.
    func firstDay(_ plan: OutbreakPlan) -> UInt64 {
        if isPublished { return plan.reportedDays.lowerBound }
        // The patient reports on the day behind the last.
        let kept = UInt64(SonarSubmission.retentionDays)
        return plan.days + 1 > kept ? plan.days + 1 - kept : 0
    }
}
