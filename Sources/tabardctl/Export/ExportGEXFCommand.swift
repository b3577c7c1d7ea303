import Archive
import ArgumentParser
import CommandLineText
import Exports

struct ExportGEXFCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "gexf", abstract: "Export the contact network over time for Gephi.",
        usage: "tabardctl export gexf --output <file> [<options>]",
        discussion: """
            Examples:
              tabardctl export gexf --output ward.gexf --since 7d
              tabardctl export gexf --output ward.gexf --names people.csv --join-gap 60s

            The file is GEXF 1.3: an edge for each pair, with the time of each contact, the total \
            duration as weight, and the number of contacts. Its parameters are in its description.
            """)

    @OptionGroup var file: ExportFileOptions
    @OptionGroup var export: ExportOptions
    @OptionGroup var archive: EvidenceOptions

    func execute() throws(Failure) {
        try file.write(export, of: archive) { provenance, network, output in
            try GEXFFile(provenance).write(network, to: output)
        }
    }
}
