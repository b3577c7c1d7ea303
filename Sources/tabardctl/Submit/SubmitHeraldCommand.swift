import ArgumentParser
import Authority
import FixedMemory
import Schemes

struct SubmitHeraldCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "herald", abstract: "Hand over the matching keys of days.",
        discussion: """
            A day's key gives away the wearer's 240 identifiers of that day, and of no other; the secret, from which all follow, \
            stays where it is. Days that are over only, the last 14 of them unless said. Herald leaves to apps how keys are \
            handed over; the form is ours (docs/schemes.md).

            Examples:
              tabardctl submit herald --secret herald.secret --from 2026-11-15 --output keys.json
              tabardctl submit herald --secret herald.secret --epoch 2026-06-01 --yes > keys.json
            """)

    private static let standardDays: UInt32 = 14

    @Option(help: ArgumentHelp("The wearable's secret, 2048 bytes.", valueName: "file"))
    var secret: String

    @Option(help: ArgumentHelp("The first day of its keys, as its configuration has it.", valueName: "date"))
    var epoch = CalendarDate(daysSince1970: 20_454)

    @OptionGroup var days: SubmissionDays

    @OptionGroup var consent: ConsentOptions

    func execute() throws(Failure) {
        let file = try Documents.bytes(secret, isPrivate: true)
        guard file.count == HeraldKeySchedule.secretByteCount else {
            throw Failure(
                .data,
                "\(secret): no secret of Herald's, which has \(HeraldKeySchedule.secretByteCount) bytes")
        }
        let schedule = HeraldKeySchedule(secret: file.span, epochDay: epoch.daysSince1970)
        var range = try days.pastDays(Self.standardDays)
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
        let list = HeraldMatchingKeys(keys)
        try consent.hand(
            over: Documents.text(list.json),
            SubmissionText(
                recipient: "an authority of Herald's",
                contents: ["the matching keys of \(keys.count) days, \(range.daysText)"],
                aboutWearer:
                    "that you fell ill; whoever noted your identifiers of those days can tell them as yours",
                aboutOthers: "nothing"))
    }
}
