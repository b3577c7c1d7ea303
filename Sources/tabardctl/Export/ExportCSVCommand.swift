import Archive
import ArgumentParser
import CommandLineText
import Exports

struct ExportCSVCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "csv", abstract: "Export tables as CSV, with a dictionary of their columns.",
        usage: "tabardctl export csv --output <folder> [<options>]",
        discussion: """
            Examples:
              tabardctl export csv --output study
              tabardctl export csv --output study --pseudonyms study.secret \\
                  --round-time 5min

            The folder gets contacts.csv, presence.csv, coverage.csv, participants.csv and \
            datapackage.json, a Frictionless data package: the type and meaning of each column, the \
            size and hash of each file, and the parameters.
            """)

    @OptionGroup var folder: ExportFolderOptions
    @OptionGroup var export: ExportOptions
    @OptionGroup var archive: EvidenceOptions

    func execute() throws(Failure) {
        try folder.folder.requireAbsence(of: ExportTable.all.map(\.name))
        let network = try export.network(of: try archive.open(.reading))
        try folder.folder.write(
            ExportTable.all, of: network, ExportOptions.provenance(network))
    }
}
