import Analysis
import Authority
import Reports
import Schemes
import Simulator

/// Exposure Notification: the patient's phone reports its days' keys, the authority publishes them in a file among made-up
/// ones, and wearers look for them in what their boards heard.
struct ExposureNotificationEnd: OutbreakEnd {
    let scheme = OutbreakScheme.exposureNotification
    /// Of the patient's phone.
    let keys: [TemporaryExposureKey]

    func findings(in records: [WearerRecord], _ report: ReportedIllness) throws -> [Finding] {
        let reported = keys.filter {
            report.days.contains(UInt32($0.rollingStart.startSeconds / 86_400))
        }
        guard !reported.isEmpty else { return [] }
        var register = ExposureRegister()
        try register.accept(
            ExposureReport(keys: reported, healthAuthority: "outbreak", symptomOnset: nil), reportType: 1,
            at: report.seconds)
        var random = RandomStream(seed: report.seconds)
        let published = register.publish(
            at: report.seconds + 43_200, region: "GB",
            signatureInfo: ExportSignatureInfo(keyVersion: "v1", keyIdentifier: "GB"), using: &random)
        guard published, let file = register.batches.last else { return [] }
        let files = PublishedKeys([try ExposureKeyExport(file: file)])
        return try records.dropFirst().flatMap { record in
            let search = try ExposureSearch(
                record.encounters, for: files, nowMilliseconds: Int64(report.seconds) * 1_000,
                mapping: .standard)
            return search.exposures.flatMap { exposure in
                exposure.samples.map {
                    Finding(wearer: record.wearer, seconds: UInt64($0.startMilliseconds / 1_000))
                }
            }
        }
    }
}
