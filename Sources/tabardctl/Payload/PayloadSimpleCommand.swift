import ArgumentParser
import Authority
import CommandLineText
import Configuration
import Exposure
import FixedMemory
import Foundation
import Reports
import Schemes
import TextFormats

struct PayloadSimpleCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "simple", abstract: "Create the payload of a wearable at a given time.",
        usage: "tabardctl payload simple [<options>]",
        discussion: """
            Examples:
              tabardctl payload simple --secret anna.herald --at 2026-11-20T10:00Z
              tabardctl payload simple --keys published.json --at 2026-11-20T10:00Z
              tabardctl payload simple --board Anna --at 2h

            In Herald's Simple payload the identifier changes every six minutes and derives from the \
            key of the day. The key comes from the secret of the wearable, from a list of published \
            keys, or from the root key that the board made itself. The archive has such root keys. \
            If a day has several keys, the command prints a payload for each.

            The log of a board also has what it showed. Keys that do not explain all of that day are \
            refused. Country and state are those that the board showed nearest to the time.
            """)

    @Option(
        help: ArgumentHelp(
            "Time: 2026-11-20T10:00 (local time), with a zone (Z, +01:00), or an age (30min, 2h); "
                + "default: now.",
            valueName: "time"))
    var at: String?

    @Option(
        help: ArgumentHelp("Herald secret of the wearable, 2048 bytes.", valueName: "file"),
        completion: .file())
    var secret: String?

    @Option(
        help: ArgumentHelp(
            "First day (UTC) of the secret's keys, as given to `provision`.", valueName: "date"))
    var epoch = CalendarDate(daysSince1970: 20_454)

    @Option(
        help: ArgumentHelp(
            "List of matching keys from `submit herald` or `authority herald`.", valueName: "file"),
        completion: .file())
    var keys: String?

    @OptionGroup var recorded: SubmissionArchive

    @OptionGroup var explanation: ExplanationOptions

    @Option(
        help: ArgumentHelp(
            "ISO 3166-1 numeric country code, 1 to 999; default: the board's, or else 826.",
            valueName: "number"))
    var country: UInt16?

    @Option(
        help: ArgumentHelp(
            "State within the country, 0 to 65535; 0 for the whole country; default: the board's, or "
                + "else 0.",
            valueName: "number"))
    var state: UInt16?

    @OptionGroup var output: PayloadOutput

    func validate() throws {
        if secret != nil, keys != nil { throw ValidationError("--secret and --keys cannot both be given") }
        if let country, !(1...999).contains(country) {
            throw ValidationError("--country \(country): not a country code; write 1 to 999")
        }
    }

    func execute() throws(Failure) {
        let time = try time()
        let seconds = time.seconds
        let day = UInt32(clamping: seconds / 86_400)
        let index = Int(seconds % 86_400 * 1_000 / HeraldKeySchedule.periodMilliseconds)
        let log = try log()
        // At midnight the board may still show an identity of the day before.
        let known = try matchingKeys(ofDays: (max(day, 1) - 1)...(min(day, .max - 1) + 1), log)
        let keys = known.filter { $0.daysSince1970 == day }
        guard !keys.isEmpty else { throw noKey(ofDay: day) }
        let shown = try shown(nearest: time, log, explainedBy: known)
        let standard = AgentConfiguration().herald
        let country = country ?? shown?.country ?? standard.country
        let state = state ?? shown?.state ?? standard.state
        let payloads = keys.map { key in
            let identifier = HeraldKeySchedule.identifier(ofPeriod: index, of: key.key)
            let simple = HeraldSimple(country: country, state: state, identifier: identifier)
            return [UInt8](copying: simple.encoded().span)
        }
        let start = UInt64(day) * 86_400 + UInt64(index) * HeraldKeySchedule.periodMilliseconds / 1_000
        Console.report(
            "valid from \(UTCTime.text(start)) to "
                + "\(UTCTime.text(start + HeraldKeySchedule.periodMilliseconds / 1_000))"
        )
        try output.show(payloads)
    }

    /// The log of the board; nil if keys are given and no board.
    private func log() throws(Failure) -> WearerLog? {
        guard recorded.board != nil || secret == nil && keys == nil else { return nil }
        return try recorded.open()
    }

    /// The payload that the board showed nearest to this time, if the keys explain what it showed that day.
    private func shown(
        nearest time: WallClockTime, _ log: WearerLog?, explainedBy keys: [HeraldMatchingKey]
    ) throws(Failure) -> HeraldSimple? {
        guard let log else { return nil }
        let day = UInt32(clamping: time.days)
        var nearest: HeraldSimple?
        try explanation.require(of: log, by: "--secret") { history in
            nearest = history.simplePayload(nearest: time)
            return ShownIdentities(of: history, onDays: day...day, explainedBy: keys)
        }
        return nearest
    }

    private func time() throws(Failure) -> WallClockTime {
        let now = WallClockTime.now
        guard let at else { return now }
        guard let time = TimeArgument.time(at, now: now), time.seconds > 0 else {
            throw Failure(.usage, "--at \(at): not a time; write 2026-11-20, 2026-11-20T10:00Z or 2h")
        }
        return time
    }

    /// The matching keys of these days, as far as there are any.
    private func matchingKeys(
        ofDays days: ClosedRange<UInt32>, _ log: WearerLog?
    ) throws(Failure) -> [HeraldMatchingKey] {
        if let secret {
            let bytes = try SchemeSecrets.herald(secret)
            let schedule = HeraldKeySchedule(secret: bytes.span, epochDay: epoch.daysSince1970)
            return days.compactMap { try? schedule.matchingKey(ofDay: $0) }
        }
        if let keys {
            guard let list = HeraldMatchingKeys(try Documents.json(keys)) else {
                throw Failure(
                    .data, "\(keys): not a list of Herald matching keys, or damaged; fetch it again")
            }
            return list.entries.map(\.key).filter { days.contains($0.daysSince1970) }
        }
        let own = try log?.ownKeys(of: .herald, orFileBy: "--secret") ?? []
        return OwnRoots(own).matchingKeys(ofDays: days).keys
    }

    private func noKey(ofDay day: UInt32) -> Failure {
        let date = CalendarDate(daysSince1970: day).text
        guard secret != nil else {
            return Failure(.noInput, "no key for \(date); try another day with --at")
        }
        return Failure(
            .usage, "no key for \(date): keys start on \(epoch.text) (--epoch) and cover 2001 days")
    }
}
