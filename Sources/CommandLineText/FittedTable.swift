/// A table as lines of at most a terminal's width, as far as its numbers, times and identifiers permit.
public struct FittedTable {
    public let text: String
    /// The titles of the columns that the width does not permit.
    public let leftOut: [String]
    /// The titles of the columns in which a text is cut.
    public let cut: [String]
    /// The titles of the columns that are not shown because they are 0 in all rows.
    public let zero: [String]

    init(_ table: TextTable, width: Int?) {
        guard let width else {
            text = Self.lines(table, TableLayout(table)).joined(separator: "\n")
            (leftOut, cut, zero) = ([], [], [])
            return
        }
        let layout = TableLayout(table, fittedTo: width)
        func titles(_ indices: [Int]) -> [String] { indices.sorted().map { table.columns[$0].title } }
        text = Self.lines(table, layout, below: width).joined(separator: "\n")
        leftOut = titles(layout.dropped)
        zero = titles(layout.zero)
        cut = titles(
            layout.shown.filter { index in
                guard case .cut = table.columns[index].narrowing else { return false }
                return table.rows.contains { $0[index].count > layout.widths[index] }
            })
    }

    /// A line about the parts that the table does not show; nil if it shows everything.
    ///
    /// - Parameter remedy: such as "a wider terminal or --json".
    public func note(_ remedy: String) -> String? {
        var parts: [String] = []
        if !leftOut.isEmpty { parts.append("\(Self.columns(leftOut)) left out at this width") }
        if !cut.isEmpty { parts.append("\(Self.columns(cut)) cut at this width") }
        if !parts.isEmpty { parts.append("use \(remedy)") }
        if !zero.isEmpty { parts.append("\(Self.columns(zero)) left out because all is 0") }
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }

    private static func columns(_ titles: [String]) -> String {
        titles.count == 1
            ? "column \(titles[0]) is" : "columns \(titles.joined(separator: ", ")) are"
    }

    private static func lines(_ table: TextTable, _ layout: TableLayout, below width: Int = 0) -> [String] {
        var lines = row(table.columns.map(\.title), table, layout)
        for cells in table.rows {
            lines += row(cells, table, layout)
            for index in layout.below where !cells[index].isEmpty && cells[index] != "-" {
                lines += WrappedText.lines(
                    "  \(table.columns[index].title)  \(cells[index])", width: width,
                    indent: table.columns[index].title.count + 4)
            }
        }
        return lines
    }

    /// One row of cells; several lines if a cell is wrapped.
    private static func row(_ cells: [String], _ table: TextTable, _ layout: TableLayout) -> [String] {
        let parts = layout.shown.map { index in
            if case .cut = table.columns[index].narrowing {
                return [clipped(cells[index], layout.widths[index])]
            }
            return WrappedText.lines(cells[index], width: layout.widths[index])
        }
        return (0..<(parts.map(\.count).max() ?? 0)).map { number in
            let line = zip(layout.shown, parts).map { index, lines in
                let cell = number < lines.count ? lines[number] : ""
                let padding = String(repeating: " ", count: max(0, layout.widths[index] - cell.count))
                return table.columns[index].isNumber ? padding + cell : cell + padding
            }
            return String(line.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
        }
    }

    private static func clipped(_ text: String, _ width: Int) -> String {
        text.count <= width ? text : text.prefix(max(0, width - 1)) + "…"
    }
}
