import Authority
import Cryptography
import Exposure
import FixedMemory
import Matching
import Schemes

/// Sonar: the patient uploads the payloads that the board has read. Only the authority can find the
/// people whose phones sent them.
struct SonarFlow: OutbreakFlow {
    let scheme = SchemeID.sonar
    /// The private scalar of the authority.
    let authorityScalar: Bytes<32>
    let register: SonarRegister
    /// The patient's registration.
    let registration: SonarRegistration

    func submission(of patient: WearerRecord, _ report: ReportedIllness) throws -> Submission {
        let first = report.today + 1 - SonarSubmission.retentionDays
        let contacts = SonarSubmission(
            patient.encounters(
                of: .sonar,
                in: WallClockTime(days: UInt64(first))..<WallClockTime(days: UInt64(report.today + 1))))
        return try .sonar(
            contacts, of: registration, symptoms: ["COUGH"],
            began: CalendarDate(daysSince1970: report.days.lowerBound), dialect: .android,
            host: ReportedIllness.host, at: report.seconds)
    }

    func findings(
        from submitted: [UInt8], in records: [WearerRecord], _ report: ReportedIllness, asOf seconds: UInt64
    ) throws -> [Finding] {
        let upload = try SonarUpload(try request(submitted), from: register)
        var resolver = try SonarBulkResolver(scalar: authorityScalar)
        return try SonarContact.resolve(upload, in: register, by: &resolver).flatMap { contact in
            if let refusal = contact.refusal { throw refusal }
            guard let event = contact.event,
                let wearer = register.installations.firstIndex(where: { $0 == contact.installation })
            else { throw SonarRefusal.unknownInstallation }
            var seconds = Int64(event.startSeconds)
            return event.rssiIntervalsSeconds.map { interval in
                seconds += interval
                return Finding(wearer: wearer, seconds: UInt64(max(seconds, 0)))
            }
        }
    }
}
