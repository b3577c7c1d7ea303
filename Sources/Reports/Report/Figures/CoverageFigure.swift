import Archive

/// A figure with one band per board over the requested time: when the board listened, and why it was blind
/// otherwise.
struct CoverageFigure {
    let model: ReportModel
    /// The timelines, all on the same clock.
    let timelines: [CoverageTimeline]

    private static let height = 24
    private static let bandHeight = 14.0

    func html() -> String {
        guard let start = timelines.map(\.range.lowerBound).min(),
            let end = timelines.map(\.range.upperBound).max(), let first = timelines.first
        else { return "" }
        let clock = first.isOnWallClock ? model.time : nil
        var lanes = Lanes(
            axis: TimeAxis(covering: start...end, clock: clock, tickCount: clock == nil ? 5 : 8))
        for timeline in timelines {
            let strip = CoverageStrip(
                timeline: timeline, axis: lanes.axis, y: 5, height: Self.bandHeight, time: model.time)
            let share = CoverageSummary(timeline.fetched).coveredShare.map {
                CoverageText.percent($0) + " covered"
            }
            lanes.add(
                model.name(of: timeline.board), remark: share ?? "not fetched yet", kind: "watch",
                height: Self.height, text: text(timeline), drawing: strip.svg())
        }
        return lanes.html()
    }

    private func text(_ timeline: CoverageTimeline) -> String {
        let summary = CoverageSummary(timeline.fetched)
        return "\(model.name(of: timeline.board)) \(CoverageText.share(ofFetched: timeline)); "
            + "\(CoverageText.longestBlind(summary, on: timeline, model.time)); "
            + "\(CoverageText.faults(summary))."
    }
}
