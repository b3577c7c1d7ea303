import ArgumentParser
import Authority
import CommandLineText
import Exposure
import FixedMemory
import Reports
import Schemes

struct SubmitHeraldCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "herald", abstract: "Prepare a Herald matching key submission.",
        usage: "tabardctl submit herald [<options>]",
        discussion: """
            Examples:
              tabardctl submit herald --board Anna --output keys.json
              tabardctl submit herald --secret herald.secret --from 2026-11-15 \\
                  --output keys.json
              tabardctl submit herald --secret herald.secret --epoch 2026-06-01 --yes \\
                  > keys.json

            A day key reveals the wearer's 240 identifiers of that day and of no other day. The \
            submission has the keys of days that are over, by default the last 14. The secret that \
            all keys derive from is not included.

            A board without a given secret makes its own root key and records it in its log. Its log \
            also has what it showed: keys that do not explain all of that are refused. Herald defines \
            no submission format; docs/schemes.md has Tabard's.
            """)

    private static let standardDays: UInt32 = 14

    @Option(
        help: ArgumentHelp(
            "Herald secret of the wearable, 2048 bytes; default: the root keys that the board made itself.",
            valueName: "file"), completion: .file())
    var secret: String?

    @Option(
        help: ArgumentHelp(
            "First day (UTC) of the secret's keys, as given to `provision`.", valueName: "date"))
    var epoch = CalendarDate(daysSince1970: 20_454)

    @OptionGroup var days: SubmissionDays

    @OptionGroup var recorded: SubmissionArchive

    @OptionGroup var explanation: ExplanationOptions

    @OptionGroup var output: SubmissionOutput

    func execute() throws(Failure) {
        let range = try days.pastDays(Self.standardDays)
        let submission = if let secret { try submission(of: secret, range) } else { try ownSubmission(range) }
        try output.writeIfAgreed(submission)
    }

    private func check(
        _ keys: [HeraldMatchingKey], _ range: ClosedRange<UInt32>, _ log: WearerLog
    ) throws(Failure) {
        try explanation.require(of: log, by: "--secret") {
            ShownIdentities(of: $0, onDays: range, explainedBy: keys)
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
        // With a secret alone there may be no archive.
        if recorded.board != nil {
            let keys = range.compactMap { try? schedule.matchingKey(ofDay: $0) }
            try check(keys, range, try recorded.open())
        }
        do throws(HeraldDayWithoutKey) { return try .herald(schedule, ofDays: range) } catch {
            let date = CalendarDate(daysSince1970: error.daysSince1970).text
            throw Failure(
                .usage,
                "no key for \(date): keys start on \(epoch.text) (--epoch) and cover 2001 days")
        }
    }

    private func ownSubmission(_ range: ClosedRange<UInt32>) throws(Failure) -> Submission {
        let log = try recorded.open()
        let roots = OwnRoots(try log.ownKeys(of: .herald, orFileBy: "--secret"))
        guard let submission = Submission.herald(roots, ofDays: range) else {
            throw Failure(
                .noInput,
                "the board made no key for \(range.daysText); choose other days with --from and --until"
            )
        }
        try check(roots.matchingKeys(ofDays: range).keys, range, log)
        return submission
    }
}
