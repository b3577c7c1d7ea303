/// Which columns of a table are shown, and how wide.
struct TableLayout {
    private(set) var shown: [Int]
    /// The columns that stand below each row.
    private(set) var below: [Int] = []
    private(set) var dropped: [Int] = []
    private(set) var zero: [Int] = []
    /// By column.
    private(set) var widths: [Int]

    private let columns: [TextTable.Column]
    private let rows: [[String]]

    /// The whole table.
    init(_ table: TextTable) {
        columns = table.columns
        rows = table.rows
        shown = Array(columns.indices)
        widths = table.columns.enumerated().map { index, column in
            ([column.title] + table.rows.map { $0[index] }).map(\.count).max() ?? 0
        }
    }

    init(_ table: TextTable, fittedTo width: Int) {
        self.init(table)
        zero = rows.isEmpty ? [] : shown.filter { columns[$0].isOptional && isZero($0) }
        hide(zero)
        guard total(of: widths) > width else { return }
        below = shown.filter { columns[$0].narrowing == .below }
        hide(below)
        let least = columns.indices.map(leastWidth)
        for index in droppable where total(of: least) > width {
            dropped.append(index)
            hide([index])
        }
        shrink(to: width, notBelow: least)
        // Better too narrow a text than a line that the terminal breaks.
        shrink(to: width, notBelow: least.indices.map { canShrink($0) ? min(least[$0], 4) : least[$0] })
    }

    private mutating func hide(_ indices: [Int]) { shown.removeAll(where: indices.contains) }

    /// The columns that may be left out: first those with nothing but zeros, then by rank.
    private var droppable: [Int] {
        let ranked = shown.compactMap { index -> (isZero: Int, rank: Int, index: Int)? in
            guard case .dropped(let rank) = columns[index].narrowing else { return nil }
            return (isZero(index) ? 0 : 1, rank, index)
        }
        return ranked.sorted { $0 < $1 }.map(\.index)
    }

    private func isZero(_ index: Int) -> Bool {
        columns[index].isNumber && rows.allSatisfy { ["", "0"].contains($0[index]) }
    }

    /// The width of the shown columns, with two spaces between them.
    private func total(of widths: [Int]) -> Int {
        shown.reduce(0) { $0 + widths[$1] } + 2 * max(0, shown.count - 1)
    }

    private func canShrink(_ index: Int) -> Bool {
        switch columns[index].narrowing {
        case .wrapped, .cut: true
        case .whole, .dropped, .below: false
        }
    }

    private func leastWidth(_ index: Int) -> Int {
        switch columns[index].narrowing {
        case .wrapped(let minimum):
            min(widths[index], max(minimum, columns[index].title.count, longestWord(index)))
        case .cut(let minimum): min(widths[index], max(minimum, columns[index].title.count))
        case .whole, .dropped, .below: widths[index]
        }
    }

    /// Names and identifiers are better not broken, unless they are very long.
    private func longestWord(_ index: Int) -> Int {
        let longest = rows.flatMap { $0[index].split(separator: " ") }.map(\.count).max() ?? 0
        return min(longest, Self.mostOfWord)
    }

    private static let mostOfWord = 24

    /// Takes from the widest text, again and again.
    private mutating func shrink(to width: Int, notBelow least: [Int]) {
        var excess = total(of: widths) - width
        while excess > 0 {
            let widest = shown.filter { widths[$0] > least[$0] }.max { widths[$0] < widths[$1] }
            guard let widest else { return }
            widths[widest] -= 1
            excess -= 1
        }
    }
}
