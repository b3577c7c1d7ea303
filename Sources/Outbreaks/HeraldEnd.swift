import Reports
import Schemes

/// Herald: the patient's days' matching keys are published.
struct HeraldEnd: OutbreakEnd {
    let scheme = OutbreakScheme.herald
    /// The patient's.
    let schedule: HeraldKeySchedule

    func findings(in records: [WearerRecord], _ report: ReportedIllness) throws -> [Finding] {
        let keys = try report.days.map { day in
            PublishedIdentityKey(try schedule.matchingKey(ofDay: day), text: "day \(day)")
        }
        return try findings(in: records, for: keys, of: Herald.self, report)
    }
}
