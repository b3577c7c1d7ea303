import Archive
import ArgumentParser
import CommandLineText
import Exports
import ProductVersion

struct ExportParquetCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "parquet", abstract: "Export a table as Apache Parquet.",
        usage: "tabardctl export parquet --output <file> [<options>]",
        discussion: """
            Examples:
              tabardctl export parquet --output contacts.parquet
              tabardctl export parquet --table presence --output presence.parquet
              duckdb -c "SELECT * FROM 'contacts.parquet' LIMIT 5"
              tabardctl export parquet --partitioned --output lake

            The file is compressed with zstd. Times are timestamps in UTC. Its key-value metadata \
            has the parameters and the meaning of each column.

            --partitioned writes a folder for programs on many computers (docs/scale.md): all \
            encounters with an identity and their samples in day=2026-11-20/bucket=07, what boards \
            served, and the boards. It has identities as they went over the air: protect it like the \
            archive. --since and --until then select by the start, and no other selection applies.
            """)

    @Option(
        help: ArgumentHelp(
            "Table: contacts, presence, coverage or participants.",
            valueName: "table"))
    var table = "contacts"

    @Flag(help: "Write a folder of encounters, samples and boards by day and bucket.")
    var partitioned = false

    @Option(
        help: ArgumentHelp(
            "Buckets of each day with --partitioned, 1 to 1000; default 8.", valueName: "count"))
    var buckets: Int?

    @OptionGroup var file: ExportFileOptions
    @OptionGroup var export: ExportOptions
    @OptionGroup var archive: EvidenceOptions

    func validate() throws {
        guard ExportTable.named(table) != nil else {
            let names = ExportTable.all.map(\.name).joined(separator: ", ")
            throw ValidationError("--table \(table): no such table; write one of \(names)")
        }
        guard partitioned else {
            if buckets != nil { throw ValidationError("--buckets needs --partitioned") }
            return
        }
        if let buckets, !PartitionSelection.bucketCounts.contains(buckets) {
            throw ValidationError("--buckets \(buckets): write 1 to 1000")
        }
        if let option = export.selectionOtherThanTimes {
            throw ValidationError("\(option) does not apply to --partitioned, which writes all encounters")
        }
    }

    func execute() throws(Failure) {
        if partitioned { return try writePartitions() }
        guard let table = ExportTable.named(table) else { return }
        try OutputFile.requireAbsence(of: file.output, force: file.force)
        let network = try export.network(of: try archive.open(.reading))
        let provenance = try ExportOptions.provenance(network, format: ["table": table.name])
        try file.write(network) { try ParquetTableFile(table, provenance).write(network, to: $0) }
    }

    private func writePartitions() throws(Failure) {
        let folder = try PartitionFolder(file.output, force: file.force)
        let (since, until) = try export.contacts.time.times()
        let archive = try archive.open(.reading)
        try LockedPagesText.printNote(archive, try BoardChoice.boards(named: [], of: archive))
        let selection = PartitionSelection(
            since: since, until: until, bucketCount: buckets ?? PartitionSelection.standardBucketCount)
        let export = try archiving { () throws(ArchiveError) in
            try PartitionedExport(archive, selection, tool: "tabardctl \(ProductVersion.text)")
        }
        ExportText.report(try folder.write(export), file.output)
    }
}

extension ExportOptions {
    /// The name of an option that selects or changes contacts by more than time; nil if none is given.
    fileprivate var selectionOtherThanTimes: String? {
        let given = [
            ("--both-sides", bothSides), ("--strangers", strangers), ("--minimum-rssi", minimumRSSI != nil),
            ("--join-gap", joinGap != nil), ("--round-time", roundTime != nil),
            ("--smallest-group", smallestGroup != 1), ("--pseudonyms", pseudonyms != nil),
            ("--board", !contacts.time.board.isEmpty),
            ("--minimum-duration", contacts.minimumDuration != nil),
            ("--without-written", contacts.written.withoutWritten),
        ]
        return given.first { $0.1 }?.0
    }
}
