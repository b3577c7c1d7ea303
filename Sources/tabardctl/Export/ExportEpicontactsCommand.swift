import Archive
import ArgumentParser
import CommandLineText
import Exports

struct ExportEpicontactsCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "epicontacts", abstract: "Export a line list and contacts for R's epicontacts.",
        usage: "tabardctl export epicontacts --output <folder> [<options>]",
        discussion: """
            Examples:
              tabardctl export epicontacts --output outbreak --names people.csv
              Rscript outbreak/read.R

            The folder gets linelist.csv, contacts.csv, datapackage.json, and read.R, which joins both \
            with make_epicontacts(). The contacts are undirected.
            """)

    @OptionGroup var folder: ExportFolderOptions
    @OptionGroup var export: ExportOptions
    @OptionGroup var archive: EvidenceOptions

    func execute() throws(Failure) {
        let tables = [LineListTables.contacts, LineListTables.lineList]
        try folder.folder.requireAbsence(of: tables.map(\.name), others: [RScripts.fileName])
        let network = try export.network(of: try archive.open(.reading))
        try folder.folder.write(
            tables, of: network, ExportOptions.provenance(network),
            others: [(RScripts.fileName, RScripts.epicontacts)])
    }
}
