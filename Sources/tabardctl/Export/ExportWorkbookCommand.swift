import Archive
import ArgumentParser
import CommandLineText
import Exports

struct ExportWorkbookCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "xlsx", abstract: "Export all tables as a workbook.",
        usage: "tabardctl export xlsx --output <file> [<options>]",
        discussion: """
            Examples:
              tabardctl export xlsx --output ward.xlsx --since 7d --names people.csv
              tabardctl export xlsx --output ward.xlsx --smallest-group 5

            The workbook has a sheet for each table: contacts, presence, coverage, participants; and \
            one that explains the columns and has the parameters. Times are dates in UTC. A table of \
            more than a million rows goes on in further sheets.
            """)

    @OptionGroup var file: ExportFileOptions
    @OptionGroup var export: ExportOptions
    @OptionGroup var archive: EvidenceOptions

    func execute() throws(Failure) {
        try file.write(export, of: archive) { provenance, network, output in
            try WorkbookFile(provenance).write(network, to: output)
        }
    }
}
