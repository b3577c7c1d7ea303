import ArgumentParser
import Authority
import CommandLineText

struct AuthorityBLEProximityCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ble-proximity", abstract: "Publish identities of people who have fallen ill.",
        subcommands: [Append.self])

    struct Append: ReportingCommand {
        static let configuration = CommandConfiguration(
            commandName: "append", abstract: "Take somebody's identities into the list that is published.",
            discussion: """
                A report is what `tabardctl submit ble-proximity` has written; the list has the same form, sorted by identities. \
                A report with an identity whose time is not over is refused. Nobody checks whose the identities are: the scheme \
                has nothing for that.

                Exit code 0: taken; 65: refused.

                Examples:
                  tabardctl authority ble-proximity append positives.json --list published.json
                """)

        @Argument(help: ArgumentHelp("Somebody's identities.", valueName: "report"))
        var report: String

        @OptionGroup var publication: PublishedList

        func execute() throws(Failure) {
            let own: BLEProximityPositives = try Documents.document(
                report, isPrivate: false, called: "list of BLE-Proximity's identities")
            let now = try publication.unixSeconds()
            guard own.entries.allSatisfy({ $0.validity.endSeconds <= now }) else {
                throw Failure(.data, "\(report): refused, for it has identities whose time is not over")
            }
            try publication.add(own)
        }
    }
}
