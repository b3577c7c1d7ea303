import Archive
import LogContents

/// A figure with one row per identity on one clock, and per board if there are several. A bar shows when the
/// identity was near, and the thickness of its ribbon how strong its signal was. Above the rows, one strip
/// per board shows its coverage.
struct TimelineFigure {
    let model: ReportModel
    let scope: FigureScope

    private static let stripHeight = 14
    private static let rowHeight = 26

    func html() -> String {
        let axis = TimeAxis(covering: scope.range, clock: scope.isOnWallClock ? model.time : nil)
        var lanes = Lanes(axis: axis)
        for board in scope.boards { add(board, to: &lanes) }
        for row in scope.rows { add(row, to: &lanes) }
        return lanes.html()
    }

    /// The board's coverage, with the same texts and patterns as in the coverage figure.
    private func add(_ board: LogIdentity, to lanes: inout Lanes) {
        let axis = lanes.axis
        let timeline = scope.coverage(of: board)
        let strip = timeline.map {
            CoverageStrip(timeline: $0, axis: axis, y: 3, height: 8, time: model.time).svg()
        }
        let share = timeline.map { CoverageText.share(ofFetched: $0) } ?? "recorded no coverage"
        lanes.add(
            "\(model.name(of: board)) listening", kind: "strip", height: Self.stripHeight,
            text: "\(model.name(of: board)) \(share)", drawing: (strip ?? "") + restarts(of: board, axis))
    }

    private func add(_ row: FigureScope.Row, to lanes: inout Lanes) {
        let axis = lanes.axis
        let height = Self.rowHeight
        let near = model.hasSeveralBoards ? "near \(model.name(of: row.board))" : nil
        let remark = [row.identifier, near].compactMap(\.self).joined(separator: ", ")
        let bars = row.encounters.map { bar($0, axis) }.joined()
        let ribbons = row.encounters.map { ribbon($0, axis) }.joined()
        lanes.add(
            row.name, remark: remark, kind: row.isIdentified ? "known" : "unknown", height: height,
            text: text(of: row),
            drawing: shade(of: row.board, axis) + bars
                + Lanes.stretched(height: height, ribbons))
    }

    /// The first encounters of a row as text.
    private func text(of row: FigureScope.Row) -> String {
        let listed = row.encounters.prefix(5).map { encounter in
            "\(scope.text(encounter.start, model.time)), \(TimeText.duration(encounter.duration))"
        }
        let more = row.encounters.count - listed.count
        return "\(row.name): \(Markup.count(row.encounters.count, "encounter")): "
            + listed.joined(separator: "; ") + (more > 0 ? "; and \(more) more" : "")
    }

    /// Shading behind a row for times in which its board did not listen, so that an empty row means nothing.
    private func shade(of board: LogIdentity, _ axis: TimeAxis) -> String {
        var spans: [(left: Double, right: Double)] = []
        for range in scope.blind(board) {
            let left = max(axis.x(range.lowerBound), 0)
            let right = max(min(axis.x(range.upperBound), axis.right), left + 1)
            if let last = spans.last, left <= last.right + 0.5 {
                spans[spans.count - 1].right = max(last.right, right)
            } else {
                spans.append((left, right))
            }
        }
        return spans.map { left, right in
            "<rect class=\"blind\" fill=\"url(#coverage-blind)\" x=\"\(Markup.percent(left / axis.width))\" y=\"0\" "
                + "width=\"\(Markup.percent((right - left) / axis.width))\" height=\"100%\"/>"
        }.joined()
    }

    private func bar(_ encounter: Encounter, _ axis: TimeAxis) -> String {
        let start = axis.x(encounter.start) / axis.width
        let width = max(axis.x(encounter.end) / axis.width - start, 0.004)
        return """
            <rect class="bar" x="\(Markup.percent(start))" y="2" width="\(Markup.percent(width))" height="\
            \(Self.rowHeight - 4)" rx="3"><title>\(Markup.escaped(tooltip(encounter)))</title></rect>
            """
    }

    private func ribbon(_ encounter: Encounter, _ axis: TimeAxis) -> String {
        let middle = Double(Self.rowHeight) / 2
        let width = axis.x(encounter.end) - axis.x(encounter.start)
        return SampleRuns.runs(encounter.samples).map { run in
            let columns = SampleRuns.thinned(run, to: max(2, Int(min(max(width, 0), 1_000) / 2)))
            let outline = Self.outline(columns, half: middle - 2, axis: axis)
            let upper = outline.map { (x: $0.x, y: middle - $0.thickness) }
            let lower = outline.reversed().map { (x: $0.x, y: middle + $0.thickness) }
            return "<path class=\"ribbon\" d=\"\(Markup.path(upper + lower))Z\"/>"
        }.joined()
    }

    /// The outline of the ribbon, widened so that it is visible.
    private static func outline(
        _ samples: [Sample<TimelinePoint>], half: Double, axis: TimeAxis
    ) -> [(x: Double, thickness: Double)] {
        let points = samples.map { sample in
            (x: axis.x(sample.middle), thickness: thickness(sample.meanDBm, half: half))
        }
        guard let first = points.first, let last = points.last, last.x - first.x < 3 else { return points }
        return [(first.x - 1.5, first.thickness), (first.x + 1.5, first.thickness)]
    }

    /// Half the ribbon's thickness: hair-thin at -100 dBm and below, the full bar at -40 dBm and above.
    private static func thickness(_ dBm: Double, half: Double) -> Double {
        let fraction = (min(max(dBm, -100), -40) + 100) / 60
        return 0.8 + fraction * (half - 1.8)
    }

    private func tooltip(_ encounter: Encounter) -> String {
        let strength = encounter.rssi.map { ", strongest \(Markup.dBm($0.maximumDBm)) dBm" } ?? ""
        return "\(model.whoAndWhere(encounter.summary)): \(scope.text(encounter.start, model.time)) to "
            + "\(scope.text(encounter.end, model.time)), "
            + "\(TimeText.duration(encounter.duration))\(strength)"
    }

    private func restarts(of board: LogIdentity, _ axis: TimeAxis) -> String {
        scope.restarts.filter { $0.board == board && axis.range.contains($0.time) }.prefix(200).map {
            """
            <svg class="restart" x="\(axis.percent($0.time))" overflow="visible"><title>\
            \(Markup.escaped(model.name(of: board))) restarted, \(scope.text($0.time, model.time))</title>\
            <path d="M0,0v14M0,0l7,4l-7,4z"/></svg>
            """
        }.joined()
    }
}
