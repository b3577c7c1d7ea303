import Archive
import FixedMemory

/// When each board listened, in parts of the time: the share of each part as a shade or a pattern.
struct HeatMapFigure {
    let model: ReportModel
    /// On the wall clock.
    let timelines: [CoverageTimeline]
    let bins: TimeBins

    /// The maximum number of boards; the others are in the list of blind times and in the CSV of coverage.
    static let maximumBoardCount = 40
    private static let height = 18

    enum Shade: String, CaseIterable {
        case full, most, half, little, none, unrecorded

        init(_ part: ListeningShares.Part) {
            switch part {
            case .unrecorded: self = .unrecorded
            case .listened(let share) where share >= 0.999: self = .full
            case .listened(let share) where share >= 0.9: self = .most
            case .listened(let share) where share >= 0.5: self = .half
            case .listened(let share) where share > 0: self = .little
            case .listened: self = .none
            }
        }

        var legend: String {
            switch self {
            case .full: "listened all the time"
            case .most: "90 % and more"
            case .half: "50 % and more"
            case .little: "less than half"
            case .none: "blind"
            case .unrecorded: "no record"
            }
        }

        var attributes: String {
            switch self {
            case .full, .most, .half: "class=\"heat-\(rawValue)\""
            case .little: "class=\"untold\" fill=\"url(#coverage-untold)\""
            case .none: "class=\"radio\" fill=\"url(#coverage-radio)\""
            case .unrecorded: "class=\"unrecorded\" fill=\"url(#coverage-blind)\""
            }
        }
    }

    private var shown: [CoverageTimeline] { Array(timelines.prefix(Self.maximumBoardCount)) }

    func html() -> String {
        var lanes = Lanes(axis: TimeAxis(covering: bins.range, clock: model.time))
        for timeline in shown {
            let summary = CoverageSummary(timeline.fetched)
            let share = summary.coveredShare.map { CoverageText.percent($0) + " covered" }
            lanes.add(
                model.name(of: timeline.board), remark: share ?? "not fetched yet", kind: "watch",
                height: Self.height,
                text: "\(model.name(of: timeline.board)) \(CoverageText.share(ofFetched: timeline)); "
                    + "\(CoverageText.longestBlind(summary, on: timeline, model.time)).",
                drawing: cells(timeline, lanes.axis))
        }
        return lanes.html() + Self.key
    }

    /// Neighbours of one shade are one rectangle.
    private func cells(_ timeline: CoverageTimeline, _ axis: TimeAxis) -> String {
        let shades = ListeningShares(timeline, in: bins).parts.map(Shade.init)
        var result = ""
        var index = 0
        while index < shades.count {
            let first = index
            while index < shades.count, shades[index] == shades[first] { index += 1 }
            let start = axis.x(TimelinePoint(milliseconds: bins.edges[first])) / axis.width
            let end = axis.x(TimelinePoint(milliseconds: bins.edges[index])) / axis.width
            result +=
                "<rect \(shades[first].attributes) x=\"\(Markup.percent(start))\" y=\"2\" "
                + "width=\"\(Markup.percent(end - start))\" height=\"14\"/>"
        }
        return result
    }

    private static let key = """
        <ul class="key">\(Shade.allCases.map(\.item).joined())</ul>

        """

    /// A line for each part of the time, a column for each board: the share of the time, from 0 to 1.
    var csv: [[String]] {
        let shares = shown.map { ListeningShares($0, in: bins).parts }
        var lines = [["start", "end"] + shown.map { model.names[$0.board] }]
        for index in 0..<bins.count {
            let edges = bins.edges[index...index + 1].map { TimeText.utc(WallClockTime(clamping: $0)) }
            lines.append(edges + shares.map { $0[index].field })
        }
        return lines
    }
}

extension HeatMapFigure.Shade {
    fileprivate var item: String {
        """
        <li><svg width="26" height="10" aria-hidden="true"><rect \(attributes) x="0.5" y="0.5" width="25" \
        height="9"/></svg>\(legend)</li>
        """
    }
}

extension ListeningShares.Part {
    fileprivate var field: String {
        guard case .listened(let share) = self else { return "" }
        return "\((share * 10_000).rounded() / 10_000)"
    }
}
