import Archive
import Authority
import Cryptography
import Exposure
import FixedMemory
import FlashSimulator
import Schemes
import Simulator

/// Exposure Notification: the patient reports the board's keys of some days, taken from its log. The
/// authority publishes them in a signed file among random ones. Wearers search for them in their boards'
/// records.
struct ExposureNotificationFlow: OutbreakFlow {
    let scheme = SchemeID.exposureNotification
    /// The private scalar of the authority.
    let authorityScalar: Bytes<32>

    func submission(of patient: WearerRecord, _ report: ReportedIllness) throws -> Submission {
        let keys = try patient.ownKeys(of: .exposureNotification).compactMap(TemporaryExposureKey.init)
        var random = RandomStream(seed: report.seconds)
        return try .exposureNotification(
            keys, ofDays: report.days, began: nil, healthAuthority: "outbreak", host: ReportedIllness.host,
            using: &random)
    }

    func findings(
        from submitted: [UInt8], in records: [WearerRecord], _ report: ReportedIllness, asOf seconds: UInt64
    ) throws -> [Finding] {
        guard let own = ExposureReport(try request(submitted)) else { throw OutbreakFailure.notRead(scheme) }
        var register = ExposureRegister()
        try register.accept(own, reportType: 1, at: report.seconds)
        var random = RandomStream(seed: report.seconds)
        let isPublished = register.publish(
            at: report.seconds + 43_200, region: "GB",
            signatureInfo: ExportSignatureInfo(keyVersion: "v1", keyIdentifier: "GB"), using: &random)
        guard isPublished, let file = register.batches.last else {
            throw OutbreakFailure.notPublished(scheme)
        }
        var signer = try P256PrivateKey(scalar: authorityScalar, entropy: .system)
        let package = try ExportPackage(
            signing: ExposureKeyExport(file: file), paddedTo: 0, with: &signer, entropy: .system)
        let export = try ExportPackage(zip: package.zip).export(signedBy: signer.publicKey)
        let published = PublishedKeys([export])
        return try records.dropFirst().flatMap { record in
            let search = try ExposureSearch(
                record.archive, matching: EncounterFilter(), for: published,
                now: WallClockTime(seconds: seconds), mapping: .standard)
            return search.exposures.flatMap { exposure in
                exposure.samples.map {
                    Finding(wearer: record.wearer, seconds: $0.start.seconds)
                }
            }
        }
    }
}
