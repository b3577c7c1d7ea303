import Reports

/// A table on a page. On a phone each row is a card, whose first line is the row's first cell.
public struct PageTable: Sendable {
    public struct Column: Sendable {
        let title: String
        let isNumber: Bool

        public init(title: String, isNumber: Bool) {
            self.title = title
            self.isNumber = isNumber
        }
    }

    private let caption: String
    private let columns: [Column]
    private let rows: [[String]]

    private static let longestCell = 300

    /// - Parameter caption: what the rows are, for those who cannot see the page.
    public init(_ caption: String, _ columns: [Column], _ rows: [[String]]) {
        self.caption = caption
        self.columns = columns
        self.rows = rows
    }

    public func html() -> String {
        let titles = columns.map {
            "<th scope=\"col\"\($0.isNumber ? " class=\"n\"" : "")>\(Markup.escaped($0.title))</th>"
        }
        return """
            <div class="figure listing"><div class="scroll" tabindex="0" role="region" \
            aria-label="\(Markup.escaped(caption))">
            <table class="rows"><thead><tr>\(titles.joined())</tr></thead>
            <tbody>
            \(rows.map(row).joined(separator: "\n"))
            </tbody></table></div></div>

            """
    }

    private func row(_ cells: [String]) -> String {
        let markup = zip(columns, cells).enumerated().map { index, pair in
            let (column, cell) = pair
            let text = Markup.unbroken(Markup.escaped(Markup.shortened(cell, to: Self.longestCell)))
            guard index > 0 else { return "<th scope=\"row\">\(text)</th>" }
            return "<td data-of=\"\(Markup.escaped(column.title))\"\(column.isNumber ? " class=\"n\"" : "")>"
                + "\(text)</td>"
        }
        return "<tr>\(markup.joined())</tr>"
    }
}
