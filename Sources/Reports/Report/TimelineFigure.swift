import Archive
import LogContents

/// A figure with one row per identity on one clock, and per board if there are several. A bar shows when the
/// identity was near, and the thickness of its ribbon how strong its signal was. Above the rows, one strip
/// per board shows its coverage.
struct TimelineFigure {
    let model: ReportModel
    let scope: FigureScope

    private static let width = 960.0
    private static let left = 220.0
    private static let right = 30.0
    private static let stripHeight = 22.0
    private static let top = 34.0

    /// A second line has the board's name.
    private var rowHeight: Double { model.hasSeveralBoards ? 36 : 30 }

    func svg() -> String {
        let rows = scope.rows
        let stripsHeight = Double(scope.boards.count) * Self.stripHeight
        let rowsTop = Self.top + stripsHeight + 10
        let height = rowsTop + Double(rows.count) * rowHeight + 12
        let axis = TimeAxis(
            covering: scope.range, left: Self.left, width: Self.width - Self.left - Self.right,
            clock: scope.isOnWallClock ? model.time : nil, tickCount: 8)

        var result = """
            <svg class="timeline" viewBox="0 0 \(Markup.number(Self.width)) \(Markup.number(height))" role="img" \
            aria-labelledby="\(scope.identifier)-title">
            <title id="\(scope.identifier)-title">\(Markup.escaped(title))</title>

            """
        result += grid(axis, height: height)
        result += shades(from: rowsTop, axis: axis)
        for (index, board) in scope.boards.enumerated() {
            result += strip(of: board, y: Self.top + Double(index) * Self.stripHeight, axis: axis)
        }
        for (index, row) in rows.enumerated() {
            result += self.row(row, y: rowsTop + Double(index) * rowHeight, axis: axis)
        }
        result += restarts(axis, height: height)
        return result + "</svg>\n"
    }

    private var title: String {
        "Timeline: \(Markup.count(scope.rows.count, "row")), one per identity\(model.hasSeveralBoards ? " and board" : ""), from "
            + "\(scope.text(scope.range.lowerBound, model.time)) to \(scope.text(scope.range.upperBound, model.time))"
    }

    private func grid(_ axis: TimeAxis, height: Double) -> String {
        var result = "<g class=\"axis\">\n"
        for tick in axis.ticks {
            let x = Markup.number(tick.x)
            result += """
                <line x1="\(x)" y1="\(Markup.number(Self.top - 6))" x2="\(x)" y2="\(Markup.number(height - 6))"/>\
                <text x="\(x)" y="\(Markup.number(Self.top - 11))" text-anchor="middle">\(tick.label)</text>

                """
        }
        return result + "</g>\n"
    }

    /// The board's coverage, with the same texts and patterns as in the coverage figure.
    private func strip(of board: LogIdentity, y: Double, axis: TimeAxis) -> String {
        let middle = Markup.number(y + Self.stripHeight / 2)
        let strip = scope.coverage(of: board).map { timeline in
            CoverageStrip(timeline: timeline, axis: axis, y: y + 7, height: 8, time: model.time).svg()
        }
        return """
            <g class="coverage"><text class="name" x="\(Markup.number(Self.left - 14))" y="\(middle)" \
            text-anchor="end" dominant-baseline="central">\(Markup.escaped(model.name(of: board))) listening</text>
            \(strip ?? "")</g>

            """
    }

    /// Shading behind the rows for times in which their board did not listen, so that an empty row means
    /// nothing. Neighbouring rows of one board share it.
    private func shades(from top: Double, axis: TimeAxis) -> String {
        var result = ""
        var first = 0
        while first < scope.rows.count {
            let board = scope.rows[first].board
            let count = scope.rows[first...].prefix { $0.board == board }.count
            result += shade(
                of: board, y: top + Double(first) * rowHeight, height: Double(count) * rowHeight, axis: axis)
            first += count
        }
        return result
    }

    private func shade(of board: LogIdentity, y: Double, height: Double, axis: TimeAxis) -> String {
        var spans: [(left: Double, right: Double)] = []
        for range in scope.blind(board) {
            let left = max(axis.x(range.lowerBound), axis.left)
            let right = max(min(axis.x(range.upperBound), axis.right), left + 1)
            if let last = spans.last, left <= last.right + 0.4 {
                spans[spans.count - 1].right = max(last.right, right)
            } else {
                spans.append((left, right))
            }
        }
        guard !spans.isEmpty else { return "" }
        let outline = spans.map { left, right in
            "M\(Markup.number(left)),\(Markup.number(y))H\(Markup.number(right))v\(Markup.number(height))"
                + "H\(Markup.number(left))z"
        }
        return "<path class=\"blind\" fill=\"url(#coverage-blind)\" d=\"\(outline.joined())\"/>\n"
    }

    private func row(_ row: FigureScope.Row, y: Double, axis: TimeAxis) -> String {
        let middle = y + rowHeight / 2
        var result = """
            <g class="row \(row.isIdentified ? "known" : "unknown")">\
            <line class="rule" x1="\(Markup.number(axis.left))" y1="\(Markup.number(middle))" \
            x2="\(Markup.number(axis.right))" y2="\(Markup.number(middle))"/>\
            \(label(of: row, middle: middle))

            """
        for encounter in row.encounters { result += bar(encounter, middle: middle, axis: axis) }
        return result + "</g>\n"
    }

    private func label(of row: FigureScope.Row, middle: Double) -> String {
        let x = Markup.number(Self.left - 14)
        let own = Self.shortened(row.ownName, to: 16)
        let name = Markup.escaped(Self.shortened(row.label, to: 30 - own.count) + own)
        guard model.hasSeveralBoards else {
            return """
                <text class="name" x="\(x)" y="\(Markup.number(middle))" text-anchor="end" \
                dominant-baseline="central">\(name)</text>
                """
        }
        return """
            <text class="name" x="\(x)" y="\(Markup.number(middle - 2))" text-anchor="end">\(name)</text>\
            <text x="\(x)" y="\(Markup.number(middle + 11))" text-anchor="end">near \
            \(Markup.escaped(Self.shortened(model.name(of: row.board))))</text>
            """
    }

    private func bar(_ encounter: Encounter, middle: Double, axis: TimeAxis) -> String {
        let start = axis.x(encounter.start)
        let width = max(axis.x(encounter.end) - start, 3)
        let half = rowHeight / 2 - 4
        var result = """
            <g><title>\(Markup.escaped(tooltip(encounter)))</title>\
            <rect class="bar" x="\(Markup.number(start))" y="\(Markup.number(middle - half))" \
            width="\(Markup.number(width))" height="\(Markup.number(2 * half))" rx="3"/>
            """
        for run in SampleRuns.runs(encounter.samples) {
            let columns = SampleRuns.thinned(run, to: max(2, Int(width / 2)))
            let outline = Self.outline(columns, half: half, axis: axis)
            let upper = outline.map { (x: $0.x, y: middle - $0.thickness) }
            let lower = outline.reversed().map { (x: $0.x, y: middle + $0.thickness) }
            result += "<path class=\"ribbon\" d=\"\(Markup.path(upper + lower))Z\"/>"
        }
        return result + "</g>\n"
    }

    /// The outline of the ribbon, widened to at least one and a half pixels so that it is visible.
    private static func outline(
        _ samples: [Sample<TimelinePoint>], half: Double, axis: TimeAxis
    ) -> [(x: Double, thickness: Double)] {
        let points = samples.map { sample in
            (x: axis.x(sample.middle), thickness: thickness(sample.meanDBm, half: half))
        }
        guard let first = points.first, let last = points.last, last.x - first.x < 1.5 else { return points }
        return [(first.x - 0.75, first.thickness), (first.x + 0.75, first.thickness)]
    }

    /// Half the ribbon's thickness: hair-thin at -100 dBm and below, the full bar at -40 dBm and above.
    private static func thickness(_ dBm: Double, half: Double) -> Double {
        let fraction = (min(max(dBm, -100), -40) + 100) / 60
        return 0.8 + fraction * (half - 1.8)
    }

    private func tooltip(_ encounter: Encounter) -> String {
        let strength = encounter.rssi.map { ", strongest \(Markup.dBm($0.maximumDBm)) dBm" } ?? ""
        return "\(model.whoAndWhere(encounter)): \(scope.text(encounter.start, model.time)) to "
            + "\(scope.text(encounter.end, model.time)), "
            + "\(TimeText.duration(encounter.duration))\(strength)"
    }

    private func restarts(_ axis: TimeAxis, height: Double) -> String {
        var result = "<g class=\"restarts\">\n"
        for restart in scope.restarts where axis.range.contains(restart.time) {
            let x = axis.x(restart.time)
            let name = Markup.escaped(model.name(of: restart.board))
            result += """
                <g><title>\(name) restarted, \(scope.text(restart.time, model.time))</title>\
                <line x1="\(Markup.number(x))" y1="\(Markup.number(Self.top - 2))" x2="\(Markup.number(x))" \
                y2="\(Markup.number(height - 6))"/>\
                <path d="M\(Markup.number(x)),\(Markup.number(Self.top - 4))l6,3.5l-6,3.5z"/></g>

                """
        }
        return result + "</g>\n"
    }

    static func shortened(_ label: String, to limit: Int = 30) -> String {
        label.count > limit ? label.prefix(limit - 1) + "…" : label
    }
}
