import Authority
import Cryptography
import FixedMemory
import Reports
import Schemes

/// Sonar: the patient uploads whom he read; the authority finds out whose payloads they were.
struct SonarEnd: OutbreakEnd {
    let scheme = OutbreakScheme.sonar
    /// The authority's private number.
    let authorityScalar: Bytes<32>
    let register: SonarRegister

    func findings(in records: [WearerRecord], _ report: ReportedIllness) throws -> [Finding] {
        let upload = SonarUpload(
            installation: register.installations[0].identifier, symptoms: ["COUGH"],
            symptomsSeconds: report.seconds, events: SonarSubmission(records[0].encounters).events)
        let received = try SonarUpload(body: Array(upload.body(.android).utf8))
        var resolver = try SonarResolver(scalar: authorityScalar, entropy: .system)
        return try SonarContact.resolve(received, in: register, by: &resolver).flatMap { contact in
            if let refusal = contact.refusal { throw refusal }
            guard let wearer = register.installations.firstIndex(where: { $0 == contact.installation })
            else { throw SonarRefusal.unknownInstallation }
            var seconds = UInt64(contact.event.startSeconds)
            return contact.event.rssiIntervalsSeconds.map { interval in
                seconds += UInt64(interval)
                return Finding(wearer: wearer, seconds: seconds)
            }
        }
    }
}
