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
        try file.write(export, of: archive) { provenance, network, output in
            try JSONLinesFile(provenance).write(network, to: output)
        }
    }
}
