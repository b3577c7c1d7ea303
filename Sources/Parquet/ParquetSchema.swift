/// A column of a table.
public struct ParquetColumn: Equatable, Sendable {
    public let name: String
    public let type: ParquetType
    /// Whether the column may hold nulls.
    public let isOptional: Bool
    /// A text for people. Parquet has no place for it, so the writer adds it to the file's key-value metadata
    /// under "description." and the column's name.
    public let description: String?

    public init(_ name: String, _ type: ParquetType, isOptional: Bool = false, description: String? = nil) {
        self.name = name
        self.type = type
        self.isOptional = isOptional
        self.description = description
    }
}

/// The columns of a flat table, in their order.
public struct ParquetSchema: Equatable, Sendable {
    public let columns: [ParquetColumn]

    /// - Throws: `ParquetError` if the list is empty, if a name is empty or has a dot, which readers take
    ///   for a nested column, or if two names are equal without regard to case, which Spark and DuckDB refuse
    ///   or rename.
    public init(_ columns: [ParquetColumn]) throws(ParquetError) {
        guard !columns.isEmpty else { throw .noColumns }
        var names: Set<String> = []
        for column in columns {
            guard !column.name.isEmpty, !column.name.utf8.contains(UInt8(ascii: ".")) else {
                throw .invalidColumnName(column.name)
            }
            guard names.insert(column.name.lowercased()).inserted else {
                throw .duplicateColumnName(column.name)
            }
        }
        self.columns = columns
    }
}
