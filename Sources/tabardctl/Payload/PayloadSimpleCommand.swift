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
        commandName: "simple", abstract: "Make the payload that a wearable shows at a time.",
        discussion: """
            Herald's "Simple" payload: its identifier is another every six minutes, and follows from the key of the day. The key \
            follows from the secret that the wearable was given; or is in a list of published keys; or follows from the root that \
            the board made itself, which the archive has. A day can have several keys: then each has its payload.

            Examples:
              tabardctl payload simple --secret anna.herald --at 2026-11-20T10:00Z
              tabardctl payload simple --keys published.json --at 2026-11-20T10:00Z
              tabardctl payload simple --board Anna --at 2h
            """)

    @Option(
        help: ArgumentHelp(
            "When: 2026-11-20T10:00, with a zone (Z, +01:00) or without (local time), or so long ago (30min, 2h); now unless said.",
            valueName: "time"))
    var at: String?

    @Option(help: ArgumentHelp("The secret that the wearable was given, 2048 bytes.", valueName: "file"))
    var secret: String?

    @Option(
        help: ArgumentHelp(
            "The first day of the secret's keys, as `provision` was told.", valueName: "date"))
    var epoch = CalendarDate(daysSince1970: 20_454)

    @Option(
        help: ArgumentHelp(
            "A list of matching keys, as `submit herald` and `authority herald` write it.", valueName: "file")
    )
    var keys: String?

    @OptionGroup var recorded: SubmissionArchive

    @Option(help: ArgumentHelp("ISO 3166-1 numeric country, 1 to 999.", valueName: "number"))
    var country = AgentConfiguration().herald.country

    @Option(help: ArgumentHelp("State within the country; 0 for all of it.", valueName: "number"))
    var state = AgentConfiguration().herald.state

    @OptionGroup var output: PayloadOutput

    func validate() throws {
        if secret != nil, keys != nil { throw ValidationError("--secret and --keys cannot both be given") }
        guard (1...999).contains(country) else {
            throw ValidationError("--country \(country): countries have numbers from 1 to 999")
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
        Console.note(
            "shown from \(UTCTime.text(start)) to \(UTCTime.text(start + HeraldKeySchedule.periodMilliseconds / 1_000))"
        )
        try output.show(payloads)
    }

    private func seconds() throws(Failure) -> UInt64 {
        let now = Int64(Date().timeIntervalSince1970 * 1000)
        guard let at else { return UInt64(clamping: now / 1000) }
        guard let time = TimeArgument.milliseconds(at, nowMilliseconds: now),
            let seconds = UInt64(exactly: time / 1000)
        else {
            throw Failure(.usage, "--at \(at): not a time; write 2026-11-20, 2026-11-20T10:00Z or 2h")
        }
        return seconds
    }

    /// At least one.
    private func matchingKeys(ofDay day: UInt32) throws(Failure) -> [HeraldMatchingKey] {
        let date = CalendarDate(daysSince1970: day).text
        if let secret {
            let bytes = try SchemeSecrets.herald(secret)
            let schedule = HeraldKeySchedule(secret: bytes.span, epochDay: epoch.daysSince1970)
            do throws(HeraldScheduleError) { return [try schedule.matchingKey(ofDay: day)] } catch {
                throw Failure(
                    .usage,
                    "there is no key of \(date): keys begin on \(epoch.text) (--epoch), and are of 2001 days")
            }
        }
        let found: [HeraldMatchingKey]
        if let keys {
            guard let list = HeraldMatchingKeys(try Documents.json(keys)) else {
                throw Failure(.data, "\(keys): no list of Herald's matching keys, or damaged")
            }
            found = list.entries.map(\.key).filter { $0.daysSince1970 == day }
        } else {
            found =
                OwnRoots(try recorded.ownKeys(of: .herald, orFileBy: "--secret")).matchingKeys(
                    ofDays: day...day
                ).keys
        }
        guard !found.isEmpty else { throw Failure(.noInput, "there is no key of \(date)") }
        return found
    }
}
