import ArgumentParser
import Authority
import CommandLineText
import Exposure
import FixedMemory
import Reports
import Schemes

struct SubmitHeraldCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "herald", abstract: "Hand over the matching keys of days.",
        discussion: """
            A day's key gives away the wearer's 240 identifiers of that day, and of no other; the secret, from which all follow, \
            stays where it is. Days that are over only, the last 14 of them unless said. Herald leaves to apps how keys are \
            handed over; the form is ours (docs/schemes.md). A board that was given no secret has made itself a root, and \
            written it down in its log: the archive has it.

            Examples:
              tabardctl submit herald --board Anna --output keys.json
              tabardctl submit herald --secret herald.secret --from 2026-11-15 --output keys.json
              tabardctl submit herald --secret herald.secret --epoch 2026-06-01 --yes > keys.json
            """)

    private static let standardDays: UInt32 = 14

    @Option(
        help: ArgumentHelp(
            "The secret that the wearable was given, 2048 bytes; without it, the roots that the board made itself.",
            valueName: "file"))
    var secret: String?

    @Option(
        help: ArgumentHelp(
            "The first day of the secret's keys, as `provision` was told.", valueName: "date"))
    var epoch = CalendarDate(daysSince1970: 20_454)

    @OptionGroup var days: SubmissionDays

    @OptionGroup var recorded: SubmissionArchive

    @OptionGroup var consent: ConsentOptions

    func execute() throws(Failure) {
        let range = try days.pastDays(Self.standardDays)
        if let secret {
            try consent.hand(over: try submission(of: secret, range))
        } else {
            try consent.hand(over: try ownSubmission(range))
        }
    }

    private func submission(
        of secret: String, _ range: ClosedRange<UInt32>
    ) throws(Failure) -> Submission {
        let bytes = try SchemeSecrets.herald(secret)
        let schedule = HeraldKeySchedule(secret: bytes.span, epochDay: epoch.daysSince1970)
        var range = range
        if days.from == nil, range.contains(epoch.daysSince1970) {
            range = epoch.daysSince1970...range.upperBound
        }
        do throws(HeraldDayWithoutKey) { return try .herald(schedule, ofDays: range) } catch {
            let date = CalendarDate(daysSince1970: error.daysSince1970).text
            throw Failure(
                .usage,
                "there is no key of \(date): keys begin on \(epoch.text) (--epoch), and are of 2001 days")
        }
    }

    private func ownSubmission(_ range: ClosedRange<UInt32>) throws(Failure) -> Submission {
        let roots = OwnRoots(try recorded.ownKeys(of: .herald, orFileBy: "--secret"))
        guard let submission = Submission.herald(roots, ofDays: range) else {
            throw Failure(
                .noInput,
                "the board made no key in force from \(range.daysText); say other days with --from and --until"
            )
        }
        return submission
    }
}
