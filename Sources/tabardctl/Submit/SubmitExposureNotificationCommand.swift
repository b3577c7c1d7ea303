import ArgumentParser
import Authority
import CommandLineText
import Exposure
import FixedMemory
import Reports
import Schemes

struct SubmitExposureNotificationCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "exposure-notification", abstract: "Prepare an Exposure Notification key submission.",
        usage: "tabardctl submit exposure-notification [<options>]",
        discussion: """
            Examples:
              tabardctl submit exposure-notification --board Anna \\
                  --symptoms-began 2026-11-20 --output report.http
              tabardctl submit exposure-notification --keys keys.json \\
                  --symptoms-began 2026-11-20 --output report.http

            The keys come from the log of the board, which makes one each day and at each boot. With \
            --keys they come from the wearer's phone, as {"temporaryExposureKeys":[{"key":base64, \
            "rollingStartNumber":number,"rollingPeriod":144}]}.

            The submission has the keys of days that are over, by default the last 14. The output is \
            the request that an app would send, without the test certificate.
            """)

    private static let standardDays: UInt32 = 14

    @Option(
        help: ArgumentHelp(
            "Key file of the wearer's phone (JSON, mode 0600); default: the keys of the board.",
            valueName: "file"), completion: .file())
    var keys: String?

    @Option(
        help: ArgumentHelp(
            "First day of symptoms, such as 2026-11-20; default: not stated.", valueName: "date"))
    var symptomsBegan: CalendarDate?

    @Option(help: ArgumentHelp("Identifier of the health authority.", valueName: "text"))
    var healthAuthority = ""

    @OptionGroup var days: SubmissionDays

    @OptionGroup var recorded: SubmissionArchive

    @OptionGroup var host: HostOption

    @OptionGroup var output: SubmissionOutput

    func execute() throws(Failure) {
        if let symptomsBegan { try SubmissionDays.requireBegun(symptomsBegan) }
        let range = try days.pastDays(Self.standardDays)
        let own = try ownKeys()
        var generator = SystemRandomNumberGenerator()
        let submission: Submission
        do throws(ExposureKeyCount) {
            submission = try .exposureNotification(
                own, ofDays: range, began: symptomsBegan, healthAuthority: healthAuthority, host: host.host,
                using: &generator)
        } catch {
            throw Failure(
                .usage,
                "\(keys.map { "\($0):" } ?? "the board") has \(error.count) keys of \(range.daysText), "
                    + "but a submission has 1 to \(ExposureReport.maximumKeyCount); "
                    + "choose days with --from and --until")
        }
        try output.writeIfAgreed(submission)
    }

    private func ownKeys() throws(Failure) -> [TemporaryExposureKey] {
        guard let keys else {
            return try recorded.open().ownKeys(of: .exposureNotification, orFileBy: "--keys")
                .compactMap(TemporaryExposureKey.init)
        }
        guard let own = ExposureReport.ReportedKeys(try Documents.json(keys, isPrivate: true)) else {
            throw Failure(
                .data, "\(keys): not a file of temporary exposure keys; check the file"
            )
        }
        // A key left out here would be missing from the report without a trace.
        if let refusal = own.refusals.first {
            throw Failure(.data, "\(keys): key \(refusal.place): \(refusal.defect); correct or remove it")
        }
        return own.keys
    }
}
