import Reports
import Schemes

/// BLE-Proximity: the patient's identities of the reported days are published, as his board's log has them.
struct BLEProximityEnd: OutbreakEnd {
    let scheme = OutbreakScheme.bleProximity

    func findings(in records: [WearerRecord], _ report: ReportedIllness) throws -> [Finding] {
        guard let history = records[0].history else { return [] }
        let interval =
            Int64(report.days.lowerBound) * 86_400_000..<Int64(report.days.upperBound) * 86_400_000
        let list = BLEProximitySubmission(history, in: interval).positives
        let keys = list.entries.map {
            PublishedIdentityKey(Timed($0.id, $0.validity), text: "\($0.id.value)")
        }
        return try findings(in: records, for: keys, of: BLEProximity.self, report)
    }
}
