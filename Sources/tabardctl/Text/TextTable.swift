/// Rows in columns as wide as their longest cell.
struct TextTable {
    struct Column {
        let title: String
        var isNumber = false
    }

    private let columns: [Column]
    private var rows: [[String]] = []

    init(_ columns: [Column]) { self.columns = columns }

    mutating func append(_ row: [String]) { rows.append(row) }

    func text() -> String {
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
