import Authority
import Exposure
import FixedMemory
import Schemes

/// BLE-Proximity: the authority publishes the patient's identities of the reported days, taken from the
/// board's log.
struct BLEProximityFlow: OutbreakFlow {
    let scheme = SchemeID.bleProximity

    func submission(of patient: WearerRecord, _ report: ReportedIllness) throws -> Submission {
        let interval =
            WallClockTime(
                days: UInt64(report.days.lowerBound))..<WallClockTime(
                days: UInt64(report.days.upperBound + 1))
        return .bleProximity(BLEProximitySubmission(patient.history, in: interval), ofDays: report.days)
    }

    func findings(
        from submitted: [UInt8], in records: [WearerRecord], _ report: ReportedIllness, asOf seconds: UInt64
    ) throws -> [Finding] {
        let own: BLEProximityPositives = try document(submitted)
        guard own.entries.allSatisfy({ $0.validity.endSeconds <= report.seconds }) else {
            throw OutbreakFailure.refused(scheme)
        }
        var list = BLEProximityPositives()
        list.append(own.entries)
        let published: BLEProximityPositives = try document(list.json.line)
        let keys = published.entries.map { PublishedIdentityKey(Timed($0.id, $0.validity), text: $0.text) }
        return try findings(in: records, for: keys, of: BLEProximity.self, asOf: seconds)
    }
}
