import Archive
import ArgumentParser
import CommandLineText
import Foundation
import ProductVersion
import Reports
import TextFormats

struct ReportCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "report", abstract: "Write an HTML report of encounters and coverage.",
        usage: "tabardctl report --output <file> [<options>]",
        discussion: """
            Examples:
              tabardctl report --output saturday.html --since 2026-11-21 \\
                  --title "Foyer, Saturday"
              tabardctl report --output ada.html --detail "Ada Byron" --since 14d
              tabardctl report --output wards.html --by-group --smallest-count 5
              tabardctl report --output - --board Foyer > foyer.html

            The report is one HTML file of at most 2 MB: how many were near, who was with whom, how \
            long, and when the boards listened. Up to 200 encounters have a timeline, signal \
            strengths and a table; of more the longest are shown, and the rest is in `tabardctl \
            encounters --csv`. The page needs no network and no script, and it prints well. The same \
            archive and options give the same bytes. docs/report.md describes each figure.
            """)

    @Option(
        name: .shortAndLong, help: ArgumentHelp("Output file; - is standard output.", valueName: "file"),
        completion: .file())
    var output: String

    @Flag(help: "Overwrite an existing file.")
    var force = false

    @Option(help: ArgumentHelp("Title of the report; with --detail the name.", valueName: "text"))
    var title: String?

    @Option(
        help: ArgumentHelp(
            "One board or person: its meetings, and when nobody could hear it.", valueName: "name"),
        completion: ValueCompletion.board)
    var detail: String?

    @Flag(help: "Sum up the contact matrix by the groups of `tabardctl label`.")
    var byGroup = false

    @Option(
        help: ArgumentHelp(
            "Write counts of people below this number (2 to 1000) as <N, and leave out single people.",
            valueName: "N"))
    var smallestCount: Int?

    @OptionGroup var filter: FilterOptions
    @OptionGroup var calibration: CalibrationOptions
    @OptionGroup var archive: EvidenceOptions

    func validate() throws {
        if let smallestCount, !(2...1_000).contains(smallestCount) {
            throw ValidationError("--smallest-count \(smallestCount): write 2 to 1000")
        }
        guard detail != nil else { return }
        if smallestCount != nil {
            throw ValidationError(
                "--detail and --smallest-count cannot both be given: a detail is of one person")
        }
        if filter.identity != nil || !filter.time.board.isEmpty {
            throw ValidationError("--detail says who the report is about; leave out --board and --identity")
        }
    }

    func execute() throws(Failure) {
        try OutputFile.requireAbsence(of: output, force: force)
        var filter = try filter.filter()
        let archive = try archive.open(.reading)
        try self.filter.choose(&filter, in: archive)
        try BoardChoice.requireBoard(in: archive)
        try LockedPagesText.printNote(archive, filter)
        let subject = try detail.map { name throws(Failure) in
            try ReportSubject(name, in: archive, filter, calibration.distances(in: archive))
        }
        let chosen = subject?.filter ?? filter
        let given = self.filter.arguments + (subject?.arguments ?? [])
        let model = try archiving { () throws(ArchiveError) in
            try ReportModel(
                archive: archive, filter: chosen,
                origin: ReportOrigin(
                    evidence: archive.evidenceDigest(), toolVersion: ProductVersion.text,
                    filterDescription: self.filter.description + (detail.map { ["detail \($0)"] } ?? []),
                    rowsCommand: ShellWord.command(["tabardctl", "encounters", "--csv"] + given)),
                title: title ?? subject?.detail.subject ?? "Encounters", time: TimeText(),
                options: ReportOptions(people: PeopleCount(smallest: smallestCount ?? 1), byGroup: byGroup),
                detail: subject?.detail)
        }
        let page = Data(HTMLReport(model).html().utf8)
        try OutputFile.write(page, to: output)
        guard output != "-" else { return }
        Console.report(
            "\(output): \(Count.text(model.encounterCount, "encounter")), \(ByteText.text(page.count)); "
                + "`xdg-open \(ShellWord.quoted(output))` shows it")
    }
}
