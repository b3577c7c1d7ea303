import ArgumentParser
import Authority
import FixedMemory
import Schemes

struct SubmitExposureNotificationCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "exposure-notification", abstract: "Hand over the keys of days.",
        discussion: """
            KEYS is a file with the wearer's own keys, as a phone's app has them: {"temporaryExposureKeys":[{"key":base64, \
            "rollingStartNumber":number,"rollingPeriod":144}]}. (Boards listen to this scheme and make no keys.) Those of days \
            that are over are handed over, of the last 14 unless said. What is written is the request that an app would send, \
            without the certificate by which authorities vouched for a test.

            Examples:
              tabardctl submit exposure-notification --keys keys.json --symptoms-began 2026-11-20 --output report.http
            """)

    private static let standardDays: UInt32 = 14

    @Option(help: ArgumentHelp("The wearer's keys, for him alone to read.", valueName: "file"))
    var keys: String

    @Option(help: ArgumentHelp("The day on which symptoms began, as 2026-11-20.", valueName: "date"))
    var symptomsBegan: CalendarDate?

    @Option(help: ArgumentHelp("Which authority it is for, as it calls itself.", valueName: "text"))
    var healthAuthority = ""

    @OptionGroup var days: SubmissionDays

    @OptionGroup var host: HostOption

    @OptionGroup var consent: ConsentOptions

    func execute() throws(Failure) {
        guard let own = ExposureReport.keys(try Documents.json(keys, isPrivate: true)) else {
            throw Failure(
                .data, "\(keys): no file of temporary exposure keys, or one of them is none that there can be"
            )
        }
        let range = try days.pastDays(Self.standardDays)
        let chosen = own.filter { key in
            key.validity.startSeconds >= UInt64(range.lowerBound) * 86_400
                && key.validity.endSeconds <= (UInt64(range.upperBound) + 1) * 86_400
        }
        guard (1...ExposureReport.maximumKeyCount).contains(chosen.count) else {
            throw Failure(
                .usage,
                "\(keys): has \(chosen.count) keys of \(range.daysText), and 1 to \(ExposureReport.maximumKeyCount) are taken; "
                    + "say which days with --from and --until")
        }
        let report = ExposureReport(
            keys: chosen, healthAuthority: healthAuthority,
            symptomOnset: symptomsBegan.map { ExposureNotificationInterval(number: $0.daysSince1970 * 144) })
        var generator = SystemRandomNumberGenerator()
        let request = report.request(host: host.host, using: &generator)
        var contents = [
            "\(chosen.count) keys of \(range.daysText)",
            symptomsBegan.map { "symptoms since \($0.text)" } ?? "not when symptoms began",
        ]
        if chosen.count < own.count {
            contents.append("not \(own.count - chosen.count) keys of other days")
        }
        try consent.hand(
            over: request.encoded,
            SubmissionText(
                recipient: "an authority of Exposure Notification",
                request: "\(ExposureReport.method) \(ExposureReport.path) at \(host.host)",
                contents: contents,
                aboutWearer:
                    "that you fell ill; whoever noted your identifiers of those days can tell them as yours",
                aboutOthers: "nothing"))
    }
}
