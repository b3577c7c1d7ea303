import Archive
import ArgumentParser
import CommandLineText
import Foundation
import ProductVersion
import Reports

struct ReportCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "report", abstract: "Write an HTML report of encounters and coverage.",
        usage: "tabardctl report --output <file> [<options>]",
        discussion: """
            Examples:
              tabardctl report --output saturday.html --since 2026-11-21 \\
                  --title "Foyer, Saturday"
              tabardctl report --output - --board Foyer > foyer.html

            The report is one HTML file with a timeline, signal strengths and a table. It needs no \
            network and no script, and it prints well. The same archive and options give the same \
            bytes.
            """)

    @Option(
        name: .shortAndLong, help: ArgumentHelp("Output file; - is standard output.", valueName: "file")
    )
    var output: String

    @Option(help: ArgumentHelp("Title of the report.", valueName: "text"))
    var title = "Encounters"

    @OptionGroup var filter: FilterOptions
    @OptionGroup var archive: EvidenceOptions

    func execute() throws(Failure) {
        var filter = try filter.filter()
        let archive = try archive.open(.reading)
        try self.filter.choose(&filter, in: archive)
        try BoardChoice.requireBoard(in: archive)
        try LockedPagesText.printNote(archive, filter)
        let model = try archiving { () throws(ArchiveError) in
            try ReportModel(
                archive: archive, filter: filter, filterDescription: self.filter.description, title: title,
                toolVersion: ProductVersion.text, time: TimeText())
        }
        let page = Data(HTMLReport(model).html().utf8)
        try OutputFile.write(page, to: output)
        guard output != "-" else { return }
        Console.report(
            "\(output): \(Count.text(model.encounters.count, "encounter")), \(ByteText.text(page.count))")
    }
}
