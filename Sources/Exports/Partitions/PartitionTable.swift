import Parquet

/// A table of a partitioned export, with the types and meanings of its columns.
struct PartitionTable {
    let name: String
    let columns: [ParquetColumn]

    private static let board = ParquetColumn(
        "board", .string, description: "The board's log identity: 32 hexadecimal digits.")
    private static let number = ParquetColumn(
        "encounter", .int64, description: "Its number, unique among those of its board in this export.")
    private static let identity = [
        ParquetColumn("scheme", .string, description: "The identity's scheme, as tabardctl names it."),
        ParquetColumn(
            "header", .binary, description: "The bytes of the payload that stand before the identifier."),
        ParquetColumn(
            "identifier", .binary, isOptional: true,
            description: "The part of the payload that published keys reveal; null if none can."),
        ParquetColumn("trailer", .binary, description: "The bytes that follow, or a payload without one."),
    ]
    private static let boot = ParquetColumn(
        "boot", .int64, isOptional: true,
        description: "The boot without a wall clock from whose start the times count; else null.")
    private static let times = [
        ParquetColumn("start_milliseconds", .int64, description: "Since 1970 UTC, or the start of boot."),
        ParquetColumn("end_milliseconds", .int64, description: "Since 1970 UTC, or the start of boot."),
    ]

    private static func error(_ name: String, _ of: String) -> ParquetColumn {
        ParquetColumn(
            name, .int64, isOptional: true,
            description: "The possible error of \(of), either way; null if unknown.")
    }

    /// A row for each encounter with an identity.
    static let encounters = PartitionTable(
        name: "encounters",
        columns: [board, number] + identity + [boot] + times + [
            error("error_milliseconds", "all its times"), error("start_error_milliseconds", "its start"),
            error("end_error_milliseconds", "its end"),
            ParquetColumn("basis", .string, description: "The basis of its times (docs/time.md)."),
            ParquetColumn(
                "timeout_milliseconds", .int64,
                description: "The longest silence that would still have been part of it."),
            ParquetColumn("first_boot", .int64, description: "The identifier of the boot in which it began."),
            ParquetColumn(
                "is_written", .boolean, description: "Whether the peer only wrote the identity to the board."),
            ParquetColumn("marks", .int32, description: "Bits: 1 written, 2 with a time that is unchecked."),
            ParquetColumn("readings", .int64, description: "RSSI readings."),
            ParquetColumn("samples", .int64, description: "Rows of the table samples."),
            ParquetColumn("written_readings", .int64, description: "RSSI readings that the peer wrote."),
            ParquetColumn(
                "minimum_dbm", .int32, isOptional: true, description: "The weakest reading of its samples."),
            ParquetColumn(
                "maximum_dbm", .int32, isOptional: true, description: "The strongest reading."),
            ParquetColumn(
                "weighted_tenths_dbm", .int64, isOptional: true,
                description: "The mean is this by ten times the weight."),
            ParquetColumn(
                "weight", .int64, isOptional: true, description: "The readings that the mean counts."),
            ParquetColumn(
                "last_sample_milliseconds", .int64, isOptional: true,
                description: "The start of its last sample."),
        ])

    /// A row for each sample of those encounters, in the partition of its encounter.
    static let samples = PartitionTable(
        name: "samples",
        columns: [board, number] + times + [
            ParquetColumn("readings", .int64, description: "RSSI readings."),
            ParquetColumn("minimum_dbm", .int32, description: "The weakest reading."),
            ParquetColumn("maximum_dbm", .int32, description: "The strongest reading."),
            ParquetColumn("mean_tenths_dbm", .int32, description: "Their mean, in tenths of a dBm."),
        ])

    /// A row for each period in which a board served an identity.
    static let served = PartitionTable(
        name: "served",
        columns: [board] + identity + [boot] + times + [error("error_milliseconds", "both times")])

    /// A row for each trusted board.
    static let boards = PartitionTable(
        name: "boards",
        columns: [
            ParquetColumn("number", .int64, description: "Of two boards the smaller number comes first."),
            board,
            ParquetColumn("name", .string, description: "The operator's name, or the first digits."),
        ])

    func writer(_ provenance: PartitionProvenance, to file: any PartitionFile) throws -> ParquetWriter {
        try ParquetWriter(
            try ParquetSchema(columns), keyValueMetadata: [("provenance", provenance.line)],
            createdBy: provenance.tool.replacing("tabardctl ", with: "tabardctl version ")
        ) { try file.write($0) }
    }
}
