/// Rows in columns as wide as their longest cell.
public struct TextTable {
    public struct Column {
        let title: String
        let isNumber: Bool

        public init(title: String, isNumber: Bool = false) {
            self.title = title
            self.isNumber = isNumber
        }
    }

    private let columns: [Column]
    private var rows: [[String]] = []

    public init(_ columns: [Column]) { self.columns = columns }

    /// A line feed in a cell would look like a row.
    public mutating func append(_ row: [String]) {
        rows.append(row.map { PlainText.displayable($0).replacing("\n", with: "?") })
    }

    public func text() -> String {
        let lines = [columns.map(\.title)] + rows
        let widths = columns.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
        return lines.map { line in
            let cells = columns.indices.map { index in
                let padding = String(repeating: " ", count: widths[index] - line[index].count)
                return columns[index].isNumber ? padding + line[index] : line[index] + padding
            }
            return String(cells.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
        }.joined(separator: "\n")
    }
}
