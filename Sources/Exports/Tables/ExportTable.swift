import Archive

/// A table that any of the table formats can hold: one row for each thing of its kind.
public struct ExportTable: Sendable {
    public typealias Row = [ExportValue]

    /// The file's name without its ending.
    public let name: String
    /// One sentence for the dictionary of columns.
    public let meaning: String
    public let fields: [ExportField]
    /// Calls its last argument with each row, as long as that says that the next one is wanted.
    let rows: @Sendable (ContactNetwork, (Row) -> Bool) throws(ArchiveError) -> Void

    /// All tables, in the order in which they are written.
    public static let all: [ExportTable] = [.contacts, .presence, .coverage, .participants]

    public static func named(_ name: String) -> ExportTable? { all.first { $0.name == name } }
}
