import ArgumentParser
import Authority
import CommandLineText

struct AuthorityHeraldCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "herald", abstract: "Publish matching keys.", subcommands: [Append.self])

    struct Append: ReportingCommand {
        static let configuration = CommandConfiguration(
            commandName: "append", abstract: "Take somebody's keys into the list that is published.",
            discussion: """
                A report is what `tabardctl submit herald` has written; the list has the same form, sorted by keys. A report with \
                a key of a day that is not over is refused: others could use its identifiers.

                Exit code 0: taken; 65: refused.

                Examples:
                  tabardctl authority herald append keys.json --list published.json
                """)

        @Argument(help: ArgumentHelp("Somebody's keys.", valueName: "report"))
        var report: String

        @OptionGroup var publication: PublishedList

        func execute() throws(Failure) {
            let own: HeraldMatchingKeys = try Documents.document(
                report, isPrivate: false, called: "list of Herald's matching keys")
            let today = try publication.unixSeconds() / 86_400
            guard own.entries.allSatisfy({ $0.date.daysSince1970 < today }) else {
                throw Failure(.data, "\(report): refused, for it has keys of days that are not over")
            }
            try publication.add(own)
        }
    }
}
