/// A list of labelled numbers with bars: readable without the bars, and at any width.
struct BarList {
    struct Row {
        let label: String
        let value: String
        /// The bar's length, from 0 to 1.
        let share: Double
    }

    let rows: [Row]

    /// The shortest bar, as a part of the longest, so that a small number is seen, too.
    private static let shortest = 0.005

    /// - Parameter values: give the bars' lengths in proportion to the largest.
    init(_ rows: [(label: String, value: String, size: Double)]) {
        let largest = rows.map(\.size).max() ?? 0
        self.rows = rows.map {
            Row(label: $0.label, value: $0.value, share: largest > 0 ? $0.size / largest : 0)
        }
    }

    func html() -> String {
        let items = rows.map { row in
            """
            <li><span class="what">\(Markup.escaped(row.label))</span>\
            <span class="value">\(Markup.unbroken(Markup.escaped(row.value)))</span>\
            <svg class="track" aria-hidden="true"><rect width="\(Markup.percent(max(row.share, Self.shortest)))" height="6" rx="3"/></svg></li>

            """
        }
        return "<ul class=\"bars\">\n\(items.joined())</ul>\n"
    }
}
