import Archive

/// A figure with one band per board over the requested time: when the board listened, and why it was blind
/// otherwise.
struct CoverageFigure {
    let model: ReportModel
    /// The timelines, all on the same clock.
    let timelines: [CoverageTimeline]
    /// An identifier that is unique within the page.
    let identifier: String

    private static let width = 960.0
    private static let left = 220.0
    private static let right = 30.0
    private static let top = 34.0
    private static let rowHeight = 34.0
    private static let bandHeight = 14.0

    func svg() -> String {
        guard let start = timelines.map(\.range.lowerBound).min(),
            let end = timelines.map(\.range.upperBound).max(), let first = timelines.first
        else { return "" }
        let height = Self.top + Double(timelines.count) * Self.rowHeight + 4
        let axis = TimeAxis(
            covering: start...end, left: Self.left, width: Self.width - Self.left - Self.right,
            clock: first.isOnWallClock ? model.time : nil, tickCount: first.isOnWallClock ? 8 : 5)
        var result = """
            <svg class="watch" viewBox="0 0 \(Markup.number(Self.width)) \(Markup.number(height))" role="img" \
            aria-labelledby="\(identifier)-title \(identifier)-desc">
            <title id="\(identifier)-title">\(Markup.escaped(title))</title>
            <desc id="\(identifier)-desc">\(Markup.escaped(description))</desc>
            <g class="axis">

            """
        for tick in axis.ticks {
            let x = Markup.number(tick.x)
            result += """
                <line x1="\(x)" y1="\(Markup.number(Self.top - 6))" x2="\(x)" y2="\(Markup.number(height - 4))"/>\
                <text x="\(x)" y="\(Markup.number(Self.top - 11))" text-anchor="middle">\(tick.label)</text>

                """
        }
        result += "</g>\n"
        for (index, timeline) in timelines.enumerated() {
            result += row(timeline, y: Self.top + Double(index) * Self.rowHeight, axis: axis)
        }
        return result + "</svg>\n"
    }

    private func row(_ timeline: CoverageTimeline, y: Double, axis: TimeAxis) -> String {
        let middle = y + Self.rowHeight / 2
        let strip = CoverageStrip(
            timeline: timeline, axis: axis, y: middle - Self.bandHeight / 2, height: Self.bandHeight,
            time: model.time)
        let share = CoverageSummary(timeline.fetched).coveredShare.map {
            CoverageText.percent($0) + " covered"
        }
        return """
            <g class="coverage"><text class="name" x="\(Markup.number(Self.left - 14))" \
            y="\(Markup.number(middle - 1))" text-anchor="end">\
            \(Markup.escaped(TimelineFigure.shortened(model.name(of: timeline.board))))</text>\
            <text x="\(Markup.number(Self.left - 14))" y="\(Markup.number(middle + 12))" \
            text-anchor="end">\(Markup.escaped(share ?? "not fetched yet"))</text>
            \(strip.svg())</g>

            """
    }

    private var title: String {
        "When \(timelines.count == 1 ? "the board" : "the boards") listened: a band for each board"
    }

    private var description: String {
        timelines.map { timeline in
            let summary = CoverageSummary(timeline.fetched)
            return "\(model.name(of: timeline.board)) \(CoverageText.share(ofFetched: timeline)); "
                + "\(CoverageText.longestBlind(summary, on: timeline, model.time)); "
                + "\(CoverageText.faults(summary))."
        }.joined(separator: " ")
    }
}
