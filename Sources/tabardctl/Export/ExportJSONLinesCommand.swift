import Archive
import ArgumentParser
import CommandLineText
import Exports

struct ExportJSONLinesCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "jsonl", abstract: "Export all tables as JSON Lines.",
        usage: "tabardctl export jsonl --output <file> [<options>]",
        discussion: """
            Examples:
              tabardctl export jsonl --output contacts.jsonl
              tabardctl export jsonl --output - | jq 'select(.table == "contacts")'

            The first line has the parameters. Each further line is a row of the table that its key \
            "table" names: contacts, presence, coverage, participants. docs/exports.md has the columns.
            """)

    @OptionGroup var file: ExportFileOptions
    @OptionGroup var export: ExportOptions
    @OptionGroup var archive: EvidenceOptions

    func execute() throws(Failure) {
        let network = try export.network(of: try archive.open(.reading))
        let provenance = try ExportOptions.provenance(network)
        try file.write(network) { try JSONLinesFile(provenance).write(network, to: $0) }
        ExportText.reportMissing(network)
    }
}
