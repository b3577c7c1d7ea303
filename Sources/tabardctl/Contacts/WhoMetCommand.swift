import Archive
import ArgumentParser
import CommandLineText
import FixedMemory
import LogContents
import Reports

struct WhoMetCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "who-met", abstract: "Show who met one person, place or identity, and how surely.",
        usage: "tabardctl who-met <name> [<options>]",
        discussion: """
            Examples:
              tabardctl who-met Badge-7 --since 14d
              tabardctl who-met Badge-7 --strangers --since 2026-11-21 --until 2026-11-22
              tabardctl who-met 103a030000a1b2 --since 7d --json
              tabardctl who-met Foyer --minimum-duration 15min --csv --output foyer.csv

            The name is that of a board, or the first digits of its log identity. It may also be an \
            identity: its first hexadecimal digits, its label, or the label's last word.

            Of a board the list has the boards that it met, whichever of both heard the other, and \
            with --strangers everybody else. Of an identity it has the boards that heard it. A \
            remark in brackets says why a name is not certain. Then follow the times in which the \
            board did not listen, and who else did. If nobody listened, nobody can know about meetings.
            """)

    @Argument(help: "The name of a board, or an identity.", completion: ValueCompletion.board)
    var name: String

    @Flag(help: "Also list encounters of the board with identities of no board.")
    var strangers = false

    @Option(help: ArgumentHelp("Earliest time, in the forms of `tabardctl encounters`.", valueName: "time"))
    var since: String?

    @Option(help: ArgumentHelp("Only what began before this time, in the same forms.", valueName: "time"))
    var until: String?

    @Option(
        help: ArgumentHelp(
            "Only meetings of at least this duration, such as 90s, 10min or 2h.", valueName: "span"))
    var minimumDuration: String?

    @OptionGroup var written: WrittenOptions
    @OptionGroup var calibration: CalibrationOptions
    @OptionGroup var output: CSVOutputOptions
    @OptionGroup var archive: EvidenceOptions

    /// Shorter times in which a board did not listen are only counted for people.
    private static let shortestUnheard = Interval.minutes(1)

    func execute() throws(Failure) {
        let listing = output.listing()
        // Options that cannot be read are reported before an archive that cannot be opened.
        _ = try MomentRange(since: since, until: until)
        _ = try DurationArgument.duration(minimumDuration, "--minimum-duration")
        let archive = try archive.open(.reading)
        let boards = try BoardChoice.boards(named: [], of: archive)
        try LockedPagesText.printNote(archive, boards)
        let search = try search(archive, boards)
        let found = try search.meetings(of: name, withStrangers: strangers)
        let document = WhoMetDocument(
            subject: found.subject, found.meetings, strangerEncounters: found.strangerCount,
            unheard: found.unheard, names: search.names)
        try listing.write(document) { () throws(Failure) in
            print(found, search, on: listing)
        }
    }

    func search(_ archive: Archive, _ boards: [ArchivedBoard]) throws(Failure) -> MeetingSearch {
        MeetingSearch(
            archive: archive, boards: boards, times: try MomentRange(since: since, until: until),
            minimumDuration: try DurationArgument.duration(minimumDuration, "--minimum-duration"),
            excludesWritten: written.withoutWritten, distances: try calibration.distances(in: archive))
    }

    private func print(_ found: MeetingSearch.Answer, _ search: MeetingSearch, on listing: Listing) {
        let time = TimeText()
        let table = MeetingTable(found.meetings, search.distances, time: time)
        if table.count == 0 {
            listing.print("\(found.subject) met nobody\(when), as far as the archive knows")
        } else {
            listing.print(table.table)
            Console.note(table.footnote)
        }
        if found.strangerCount > 0, !strangers {
            Console.note(
                "\(Count.text(found.strangerCount, "encounter")) with identities of no board; "
                    + "--strangers lists them")
        }
        let unheard = unheard(found)
        guard !unheard.text.isEmpty else { return }
        listing.print("\n" + unheard.text)
        guard !unheard.listed.isEmpty else { return }
        listing.print(UnheardTable(unheard.listed, names: search.names, time: time).table)
    }

    /// How long the subject did not listen, empty if it always did, and the times that are listed.
    func unheard(_ found: MeetingSearch.Answer) -> (text: String, listed: [UnheardTime]) {
        let total = found.unheard.reduce(Interval.zero) { $0 + $1.duration }
        guard total > .zero else { return ("", []) }
        let listed = found.unheard.filter { $0.duration >= Self.shortestUnheard }
        let text =
            "\(found.subject) did not listen for \(TimeText.duration(total)) in all"
            + (listed.count < found.unheard.count
                ? ", of which \(Count.text(found.unheard.count - listed.count, "time")) below a minute" : "")
        return (text, listed)
    }

    private var when: String {
        let given = [since.map { "since \($0)" }, until.map { "until \($0)" }].compactMap(\.self)
        return given.isEmpty ? "" : " " + given.joined(separator: " ")
    }
}
