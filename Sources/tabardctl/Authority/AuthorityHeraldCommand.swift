import ArgumentParser
import Authority
import CommandLineText

struct AuthorityHeraldCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "herald", abstract: "Publish Herald matching keys.", subcommands: [Append.self])

    struct Append: ReportingCommand {
        static let configuration = CommandConfiguration(
            commandName: "append", abstract: "Add a patient's keys to the published list.",
            discussion: """
                Examples:
                  tabardctl authority herald append keys.json --list published.json

                A report is the output of `tabardctl submit herald`. The list has the same format, \
                sorted by key. The command rejects a report with the key of a day that is not over: \
                with that key others could send the patient's identifiers.

                Exit codes: 0 accepted; 65 rejected.
                """)

        @Argument(
            help: ArgumentHelp("Report of one patient's keys (JSON).", valueName: "report"),
            completion: .file())
        var report: String

        @OptionGroup var publication: PublishedList

        func execute() throws(Failure) {
            let own: HeraldMatchingKeys = try Documents.document(
                report, isPrivate: false, called: "list of Herald matching keys")
            let today = try publication.unixSeconds() / 86_400
            guard own.entries.allSatisfy({ $0.date.daysSince1970 < today }) else {
                throw Failure(
                    .data, "\(report): rejected: some keys are for days that are not over; try again later")
            }
            try publication.add(own)
        }
    }
}
