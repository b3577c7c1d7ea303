import ArgumentParser
import Authority
import CommandLineText
import Exposure
import Reports
import Schemes

struct MatchHeraldCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "herald", abstract: "Say which boards met people whose matching keys are published.",
        discussion: """
            KEYS is a list as `tabardctl authority herald` writes it. An identifier matches in its own six minutes, and in six \
            on either side. What boards heard more than 28 days ago does not match.

            Exit code 0: done, whether anything matched or not; 65: the file is no such list; 66: there is no such file.

            Examples:
              tabardctl match herald published.json
              tabardctl match herald published.json --board Foyer --format json
            """)

    @Argument(help: ArgumentHelp("What the authority has published.", valueName: "keys"))
    var keys: String

    @OptionGroup var options: MatchOptions

    func execute() throws(Failure) {
        guard let list = HeraldMatchingKeys(try Documents.json(keys)) else {
            throw Failure(.data, "\(keys): no list of Herald's matching keys, or damaged; fetch it again")
        }
        try options.match(
            list.entries.map { PublishedIdentityKey($0.key, text: $0.text) }, of: Herald.self)
    }
}
