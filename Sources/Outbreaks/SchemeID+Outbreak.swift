import Archive
import EncounterLog
import Exposure
import Schemes
import Simulator

/// Properties of a scheme that a simulated outbreak needs.
extension SchemeID {
    /// The schemes in which a board can have an identity, so that an outbreak can be traced by them.
    public static let traced: [SchemeID] = [
        .herald, .sonar, .covidTracer, .bleProximity, .exposureNotification,
    ]

    /// The settings of a board that takes part.
    var settings: [String] { configurationKey.map { ["\($0)=on"] } ?? [] }

    /// The number of days for which a contact is kept.
    var retentionDays: Int { ContactRetention()[.scheme(SchemeCode(self))] }

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
