import Authority
import Exposure
import Schemes

/// Herald: the authority publishes the patient's matching keys of the reported days. They are derived from
/// the secret of the patient's board.
struct HeraldFlow: OutbreakFlow {
    let scheme = SchemeID.herald
    /// The patient's key schedule.
    let schedule: HeraldKeySchedule

    func submission(of patient: WearerRecord, _ report: ReportedIllness) throws -> Submission {
        try .herald(schedule, ofDays: report.days)
    }

    func findings(
        from submitted: [UInt8], in records: [WearerRecord], _ report: ReportedIllness, asOf seconds: UInt64
    ) throws -> [Finding] {
        let own: HeraldMatchingKeys = try document(submitted)
        guard own.entries.allSatisfy({ $0.date.daysSince1970 < report.today }) else {
            throw OutbreakFailure.refused(scheme)
        }
        var list = HeraldMatchingKeys()
        list.append(own.entries)
        let published: HeraldMatchingKeys = try document(list.json.line)
        let keys = published.entries.map { PublishedIdentityKey($0.key, text: $0.text) }
        return try findings(in: records, for: keys, of: Herald.self, asOf: seconds)
    }
}
