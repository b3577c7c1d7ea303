import ArgumentParser
import Authority
import CommandLineText

struct AuthorityBLEProximityCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ble-proximity", abstract: "Publish identities of patients.",
        subcommands: [Append.self])

    struct Append: ReportingCommand {
        static let configuration = CommandConfiguration(
            commandName: "append", abstract: "Add a patient's identities to the published list.",
            usage: """
                tabardctl authority ble-proximity append <report> --list <file>
                  [<options>]
                """,
            discussion: """
                Examples:
                  tabardctl authority ble-proximity append positives.json --list published.json

                A report is the output of `tabardctl submit ble-proximity`. The list has the same \
                format, sorted by identity. The command rejects a report with an identity that is \
                still valid. It cannot check the owner of an identity because the scheme has no \
                means for that.

                Exit codes: 0 accepted; 65 rejected.
                """)

        @Argument(
            help: ArgumentHelp("Report of one patient's identities (JSON).", valueName: "report"),
            completion: .file())
        var report: String

        @OptionGroup var publication: PublishedList

        func execute() throws(Failure) {
            let own: BLEProximityPositives = try Documents.document(
                report, isPrivate: false, called: "list of BLE-Proximity identities")
            let now = try publication.unixSeconds()
            guard own.entries.allSatisfy({ $0.validity.endSeconds <= now }) else {
                throw Failure(
                    .data,
                    "\(report): rejected: some identities are still valid; try again when they have expired")
            }
            try publication.add(own)
        }
    }
}
