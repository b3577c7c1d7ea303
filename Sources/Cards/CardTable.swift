import TextFormats

/// A table with a line for each card, in CSV: the first line names the columns, as the options of
/// `tabardctl prepare` are named.
public struct CardTable: Sendable {
    /// One card: a text for each column that is not empty.
    public struct Row: Sendable, Equatable {
        /// Counts from one, without the line of names.
        public let number: Int
        public let values: [String: String]

        public subscript(_ column: String) -> String? { values[column] }
    }

    public static let columns = ["role", "venue-number", "name", "area", "url", "country", "state", "set"]

    public let rows: [Row]

    public init(text: String) throws(CardError) {
        let table: CSVTable
        do throws(CSVTableError) {
            table = try CSVTable(text, columns: Self.columns)
        } catch {
            throw .table(line: error.line, error.reason)
        }
        rows = table.rows.enumerated().map { Row(number: $0 + 1, values: $1) }
        guard !rows.isEmpty else { throw .table(line: 2, "no card") }
    }
}
