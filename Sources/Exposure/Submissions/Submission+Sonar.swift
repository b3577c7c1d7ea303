import Authority
import FixedMemory
import Schemes
import TextFormats

extension Submission {
    /// The contacts that the board read, as the request that the app would send, signed with the
    /// registration's secret.
    ///
    /// - Parameters:
    ///   - symptoms: in capitals (`SonarUpload.symptomNames` of Authority).
    ///   - unixSeconds: the time of the signature.
    public static func sonar(
        _ contacts: SonarSubmission, of own: SonarRegistration, symptoms: [String], began: CalendarDate,
        dialect: SonarUpload.Dialect, host: String, at unixSeconds: UInt64
    ) throws(SonarRefusal) -> Submission {
        let upload = SonarUpload(
            installation: own.installation, symptoms: symptoms,
            symptomsSeconds: UInt64(began.daysSince1970) * 86_400, events: contacts.events)
        let request = try upload.request(dialect, host: host, at: unixSeconds, secret: own.secret)
        let values = upload.events.reduce(0) { $0 + $1.rssiValuesDBm.count }
        let days = Set(upload.events.map { UTCTime.text(UInt64($0.startSeconds)).prefix(10) }).sorted()
        var contents = [
            "\(upload.events.count) contacts that began on \(days.count) days"
                + (days.isEmpty ? "" : ", \(days.first ?? "") to \(days.last ?? "") (UTC)")
                + ", with \(values) signal strengths",
            "your installation number, \(UUIDText.text(upload.installation))",
            "\(upload.symptoms.joined(separator: ", ").lowercased()) since \(began.text)",
        ]
        contents += contacts.unreported.map { "not \($0)" }
        return Submission(
            request.encoded,
            SubmissionText(
                recipient: "Sonar's authority",
                request: "\(SonarUpload.method) \(SonarUpload.path) at \(host), \(dialect.rawValue)",
                contents: contents,
                aboutWearer:
                    "that you fell ill, who you are, and your contacts; signed, not encrypted",
                aboutOthers:
                    "the identity of each contact, and when and how long they were near you"
            ))
    }
}
