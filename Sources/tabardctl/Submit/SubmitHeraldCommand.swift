import ArgumentParser
import Authority
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
        var text = SubmissionText(
            recipient: "an authority of Herald's", contents: [], aboutWearer: SubmissionText.wearerFellIll,
            aboutOthers: "nothing")
        let keys: [HeraldMatchingKey]
        if let secret {
            keys = try self.keys(of: secret, range, &text)
        } else {
            keys = try ownKeys(range, &text)
        }
        try consent.hand(over: Documents.text(HeraldMatchingKeys(keys).json), text)
    }

    private func keys(
        of secret: String, _ range: ClosedRange<UInt32>, _ text: inout SubmissionText
    ) throws(Failure) -> [HeraldMatchingKey] {
        let bytes = try SchemeSecrets.herald(secret)
        let schedule = HeraldKeySchedule(secret: bytes.span, epochDay: epoch.daysSince1970)
        var range = range
        if days.from == nil, range.contains(epoch.daysSince1970) {
            range = epoch.daysSince1970...range.upperBound
        }
        var keys: [HeraldMatchingKey] = []
        for day in range {
            do throws(HeraldScheduleError) { keys.append(try schedule.matchingKey(ofDay: day)) } catch {
                let date = CalendarDate(daysSince1970: day).text
                throw Failure(
                    .usage,
                    "there is no key of \(date): keys begin on \(epoch.text) (--epoch), and are of 2001 days")
            }
        }
        text.contents = ["the matching keys of \(keys.count) days, \(range.daysText)"]
        return keys
    }

    private func ownKeys(
        _ range: ClosedRange<UInt32>, _ text: inout SubmissionText
    ) throws(Failure) -> [HeraldMatchingKey] {
        let roots = OwnRoots(try recorded.ownKeys(of: .herald, orFileBy: "--secret"))
        let (keys, daysWithoutCount) = roots.matchingKeys(ofDays: range)
        guard let first = keys.first, let last = keys.last else {
            throw Failure(
                .noInput,
                "the board made no key in force from \(range.daysText); say other days with --from and --until"
            )
        }
        text.contents = [
            "\(keys.count) matching keys, \((first.daysSince1970...last.daysSince1970).daysText)"
        ]
        if daysWithoutCount > 0 {
            text.contents.append("nothing of \(daysWithoutCount) days, of which no key is known")
        }
        return keys
    }
}
