import Archive
import ArgumentParser
import CommandLineText
import Exports

struct ExportParquetCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "parquet", abstract: "Export a table as Apache Parquet.",
        usage: "tabardctl export parquet --output <file> [<options>]",
        discussion: """
            Examples:
              tabardctl export parquet --output contacts.parquet
              tabardctl export parquet --table presence --output presence.parquet
              duckdb -c "SELECT * FROM 'contacts.parquet' LIMIT 5"

            The file is compressed with zstd. Times are timestamps in UTC. Its key-value metadata \
            has the parameters and the meaning of each column.
            """)

    @Option(
        help: ArgumentHelp(
            "Table: contacts, presence, coverage or participants.",
            valueName: "table"))
    var table = "contacts"

    @OptionGroup var file: ExportFileOptions
    @OptionGroup var export: ExportOptions
    @OptionGroup var archive: EvidenceOptions

    func validate() throws {
        guard ExportTable.named(table) != nil else {
            let names = ExportTable.all.map(\.name).joined(separator: ", ")
            throw ValidationError("--table \(table): no such table; write one of \(names)")
        }
    }

    func execute() throws(Failure) {
        guard let table = ExportTable.named(table) else { return }
        try OutputFile.requireAbsence(of: file.output, force: file.force)
        let network = try export.network(of: try archive.open(.reading))
        let provenance = try ExportOptions.provenance(network, format: ["table": table.name])
        try file.write(network) { try ParquetTableFile(table, provenance).write(network, to: $0) }
    }
}
