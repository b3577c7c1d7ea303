import Archive
import FixedMemory

/// The contact matrix as a table: minutes together in numbers, and as shades.
struct MatrixTable {
    let matrix: ContactMatrix

    func html() -> String {
        let heads = matrix.names.map { "<th scope=\"col\"><span>\(Self.name($0))</span></th>" }
        let rows = matrix.names.indices.map { row in
            let cells = matrix.names.indices.map { cell(row, $0) }
            return """
                <tr><th scope="row">\(Self.name(matrix.names[row]))\(size(row))</th>\(cells.joined())</tr>

                """
        }
        return """
            <div class="figure scroll" role="region" aria-label="Contact matrix" tabindex="0">
            <table class="matrix">
            <caption class="unseen">Minutes together; rows and columns are the same \(what)</caption>
            <thead><tr><td></td>\(heads.joined())</tr></thead>
            <tbody>
            \(rows.joined())</tbody>
            </table>
            </div>

            """
    }

    private var what: String { matrix.isOfGroups ? "groups" : "boards" }

    private func size(_ row: Int) -> String {
        matrix.isOfGroups ? " <small>\(Markup.count(matrix.sizes[row], "board"))</small>" : ""
    }

    private func cell(_ row: Int, _ column: Int) -> String {
        if row == column, matrix.sizes[row] == 1 { return "<td class=\"self\">·</td>" }
        let cell = matrix[row, column]
        guard cell.contactCount > 0 else { return "<td></td>" }
        return "<td class=\"m\(shade(cell.time))\">\(Self.minutes(cell.time))</td>"
    }

    /// From 1 to 4, in proportion to the longest time.
    private func shade(_ time: Interval) -> Int {
        let longest = max(1, matrix.longest.milliseconds)
        return min(4, 1 + Int(Double(time.milliseconds) / Double(longest) * 4))
    }

    /// "0.4", "12", "1 240"
    static func minutes(_ time: Interval) -> String {
        let tenths = Int(clamping: (time.milliseconds + 3_000) / 6_000)
        return tenths < 100 && !tenths.isMultiple(of: 10)
            ? "\(tenths / 10).\(tenths % 10)" : Markup.grouped((tenths + 5) / 10)
    }

    private static func name(_ name: String) -> String { Markup.escaped(Markup.shortened(name, to: 24)) }

    var csv: [[String]] {
        var lines = [["one", "other", "contacts", "seconds"]]
        for row in matrix.names.indices {
            for column in matrix.names.indices where column >= row {
                let cell = matrix[row, column]
                guard cell.contactCount > 0 else { continue }
                lines.append([
                    matrix.names[row], matrix.names[column], "\(cell.contactCount)",
                    "\(cell.time.fractionalSeconds)",
                ])
            }
        }
        return lines
    }
}
