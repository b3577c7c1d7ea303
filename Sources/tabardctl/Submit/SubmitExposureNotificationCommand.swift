import ArgumentParser
import Authority
import CommandLineText
import Exposure
import FixedMemory
import Reports
import Schemes

struct SubmitExposureNotificationCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "exposure-notification", abstract: "Hand over the keys of days.",
        discussion: """
            The board's own keys, of which it makes one a day and at each start, and writes it down in its log; or those of the \
            wearer's phone, from a file as its app has them: {"temporaryExposureKeys":[{"key":base64, \
            "rollingStartNumber":number,"rollingPeriod":144}]}. Those of days that are over are handed over, of the last 14 \
            unless said. What is written is the request that an app would send, without the certificate by which authorities \
            vouched for a test.

            Examples:
              tabardctl submit exposure-notification --board Anna --symptoms-began 2026-11-20 --output report.http
              tabardctl submit exposure-notification --keys keys.json --symptoms-began 2026-11-20 --output report.http
            """)

    private static let standardDays: UInt32 = 14

    @Option(
        help: ArgumentHelp(
            "The keys of the wearer's phone, for him alone to read; without it, those of the board.",
            valueName: "file"))
    var keys: String?

    @Option(help: ArgumentHelp("The day on which symptoms began, as 2026-11-20.", valueName: "date"))
    var symptomsBegan: CalendarDate?

    @Option(help: ArgumentHelp("Which authority it is for, as it calls itself.", valueName: "text"))
    var healthAuthority = ""

    @OptionGroup var days: SubmissionDays

    @OptionGroup var recorded: SubmissionArchive

    @OptionGroup var host: HostOption

    @OptionGroup var consent: ConsentOptions

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
                "\(keys.map { "\($0):" } ?? "the board") has \(error.count) keys of \(range.daysText), and 1 to \(ExposureReport.maximumKeyCount) are taken; "
                    + "say which days with --from and --until")
        }
        try consent.hand(over: submission)
    }

    private func ownKeys() throws(Failure) -> [TemporaryExposureKey] {
        guard let keys else {
            return try recorded.ownKeys(of: .exposureNotification, orFileBy: "--keys")
                .compactMap(TemporaryExposureKey.init)
        }
        guard let own = ExposureReport.keys(try Documents.json(keys, isPrivate: true)) else {
            throw Failure(
                .data, "\(keys): no file of temporary exposure keys, or one of them is none that there can be"
            )
        }
        return own
    }
}
