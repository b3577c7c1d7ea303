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
        discussion: """
            Examples:
              tabardctl payload simple --secret anna.herald --at 2026-11-20T10:00Z
              tabardctl payload simple --keys published.json --at 2026-11-20T10:00Z
              tabardctl payload simple --board Anna --at 2h

            In Herald's Simple payload the identifier changes every six minutes and derives from the \
            key of the day. The key comes from the secret of the wearable, from a list of published \
            keys, or from the root key that the board made itself. The archive has such root keys. \
            If a day has several keys, the command prints a payload for each.
            """)

    @Option(
        help: ArgumentHelp(
            "Time: 2026-11-20T10:00 (local time), with a zone (Z, +01:00), or an age (30min, 2h); "
                + "default: now.",
            valueName: "time"))
    var at: String?

    @Option(help: ArgumentHelp("Herald secret of the wearable, 2048 bytes.", valueName: "file"))
    var secret: String?

    @Option(
        help: ArgumentHelp(
            "First day (UTC) of the secret's keys, as given to `provision`.", valueName: "date"))
    var epoch = CalendarDate(daysSince1970: 20_454)

    @Option(
        help: ArgumentHelp(
            "List of matching keys from `submit herald` or `authority herald`.", valueName: "file")
    )
    var keys: String?

    @OptionGroup var recorded: SubmissionArchive

    @Option(help: ArgumentHelp("ISO 3166-1 numeric country code, 1 to 999.", valueName: "number"))
    var country = AgentConfiguration().herald.country

    @Option(
        help: ArgumentHelp(
            "State within the country, 0 to 65535; 0 for the whole country.", valueName: "number"))
    var state = AgentConfiguration().herald.state

    @OptionGroup var output: PayloadOutput

    func validate() throws {
        if secret != nil, keys != nil { throw ValidationError("--secret and --keys cannot both be given") }
        guard (1...999).contains(country) else {
            throw ValidationError("--country \(country): not a country code; write 1 to 999")
        }
    }

    func execute() throws(Failure) {
        let seconds = try seconds()
        let day = UInt32(clamping: seconds / 86_400)
        let index = Int(seconds % 86_400 * 1_000 / HeraldKeySchedule.periodMilliseconds)
        let payloads = try matchingKeys(ofDay: day).map { key in
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

    private func seconds() throws(Failure) -> UInt64 {
        let now = WallClockTime.now
        guard let at else { return now.seconds }
        guard let time = TimeArgument.time(at, now: now), time.seconds > 0 else {
            throw Failure(.usage, "--at \(at): not a time; write 2026-11-20, 2026-11-20T10:00Z or 2h")
        }
        return time.seconds
    }

    /// The matching keys of a day; at least one.
    private func matchingKeys(ofDay day: UInt32) throws(Failure) -> [HeraldMatchingKey] {
        let date = CalendarDate(daysSince1970: day).text
        if let secret {
            let bytes = try SchemeSecrets.herald(secret)
            let schedule = HeraldKeySchedule(secret: bytes.span, epochDay: epoch.daysSince1970)
            do throws(HeraldScheduleError) { return [try schedule.matchingKey(ofDay: day)] } catch {
                throw Failure(
                    .usage,
                    "no key for \(date): keys start on \(epoch.text) (--epoch) and cover 2001 days")
            }
        }
        let found: [HeraldMatchingKey]
        if let keys {
            guard let list = HeraldMatchingKeys(try Documents.json(keys)) else {
                throw Failure(
                    .data, "\(keys): not a list of Herald matching keys, or damaged; fetch it again")
            }
            found = list.entries.map(\.key).filter { $0.daysSince1970 == day }
        } else {
            found =
                OwnRoots(try recorded.open().ownKeys(of: .herald, orFileBy: "--secret")).matchingKeys(
                    ofDays: day...day
                ).keys
        }
        guard !found.isEmpty else { throw Failure(.noInput, "no key for \(date); try another day with --at") }
        return found
    }
}
