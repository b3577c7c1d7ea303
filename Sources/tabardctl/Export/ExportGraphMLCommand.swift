import Archive
import ArgumentParser
import CommandLineText
import Exports

struct ExportGraphMLCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "graphml", abstract: "Export the contact network for igraph and others.",
        usage: "tabardctl export graphml --output <file> [<options>]",
        discussion: """
            Examples:
              tabardctl export graphml --output ward.graphml
              tabardctl export graphml --output - --minimum-duration 5min > ward.graphml

            The file is GraphML: an edge for each pair, with the total duration in seconds as weight, \
            the number of contacts, and the times of the first and the last.
            """)

    @OptionGroup var file: ExportFileOptions
    @OptionGroup var export: ExportOptions
    @OptionGroup var archive: EvidenceOptions

    func execute() throws(Failure) {
        try file.write(export, of: archive) { provenance, network, output in
            try GraphMLFile(provenance).write(network, to: output)
        }
    }
}
