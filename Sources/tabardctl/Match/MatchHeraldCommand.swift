import ArgumentParser
import Authority
import CommandLineText
import Exposure
import Reports
import Schemes

struct MatchHeraldCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "herald", abstract: "Find encounters with published Herald matching keys.",
        usage: "tabardctl match herald <keys> [<options>]",
        discussion: """
            Examples:
              tabardctl match herald published.json
              tabardctl match herald published.json --board Foyer --format json

            KEYS has the format that `tabardctl authority herald` writes. An identifier matches in \
            its own six minutes and in six minutes before and after. Encounters of more than 28 days \
            ago do not match.

            Exit codes: 0 done, with or without a match; 65 not such a list; 66 no such file.
            """)

    @Argument(
        help: ArgumentHelp("Published list of matching keys (JSON).", valueName: "keys"), completion: .file())
    var keys: String

    @OptionGroup var options: MatchOptions

    func execute() throws(Failure) {
        guard let list = HeraldMatchingKeys(try Documents.json(keys)) else {
            throw Failure(.data, "\(keys): not a list of Herald matching keys, or damaged; fetch it again")
        }
        try options.match(
            list.entries.map { PublishedIdentityKey($0.key, text: $0.text) }, of: Herald.self)
    }
}
