import Archive
import FixedMemory
import LogContents

/// How many were near over time: a row for each board, all on one scale.
struct OccupancyFigure {
    private let model: ReportModel
    let occupancy: Occupancy
    /// The boards with the most time of peers, in the archive's order.
    let boards: [LogIdentity]
    /// The count that is as high as a row.
    let highest: Int

    /// The maximum number of boards; more could not be compared.
    static let maximumBoardCount = 12
    private static let height = 44
    private static let top = 4.0

    init(model: ReportModel, occupancy: Occupancy) {
        self.model = model
        self.occupancy = occupancy
        let all = model.boards.map(\.identity).filter { occupancy.boards[$0] != nil }
        let present = all.map { board in
            occupancy.boards[board, default: []].reduce(Interval.zero) { $0 + $1.present }
        }
        let busiest = all.indices.sorted { (present[$1], $0) < (present[$0], $1) }
            .prefix(Self.maximumBoardCount)
        boards = busiest.sorted().map { all[$0] }
        let most = boards.flatMap { occupancy.boards[$0, default: []] }.map(\.most).max() ?? 0
        highest = max(1, model.options.people.drawn(most))
    }

    var hiddenBoardCount: Int { occupancy.boards.count - boards.count }

    func html() -> String {
        var lanes = Lanes(axis: TimeAxis(covering: occupancy.bins.range, clock: model.time))
        for board in boards { add(board, to: &lanes) }
        return lanes.html()
    }

    private func add(_ board: LogIdentity, to lanes: inout Lanes) {
        let parts = occupancy.boards[board, default: []]
        let people = model.options.people
        let peak = occupancy.peaks[board]
        var remark = "most at once \(people.text(peak?.count ?? 0))"
        if let peak {
            remark += ", \(model.time.shortDate(peak.start)) \(model.time.hourAndMinute(peak.start))"
        }
        lanes.add(
            model.name(of: board), remark: remark, kind: "crowd", height: Self.height,
            text: "\(model.name(of: board)): \(remark); \(meanText(parts)).",
            drawing: blind(board, lanes.axis) + Lanes.stretched(height: Self.height, paths(parts, lanes.axis))
        )
    }

    private func meanText(_ parts: [Occupancy.Part]) -> String {
        guard !model.options.people.hidesSmall else { return "the mean is left out" }
        let total = parts.reduce(Interval.zero) { $0 + $1.present }
        let length = occupancy.bins.range.length.milliseconds
        return "mean \(Markup.dBm(length > 0 ? Double(total.milliseconds) / Double(length) : 0))"
    }

    private func paths(_ parts: [Occupancy.Part], _ axis: TimeAxis) -> String {
        let people = model.options.people
        var paths =
            "<path class=\"most\" d=\"\(area(parts.map { Double(people.drawn($0.most)) }, axis))\"/>"
            + "<path class=\"peak\" d=\"\(area(parts.map { Double(people.drawn($0.peak)) }, axis))\"/>"
        if !people.hidesSmall {
            let means = parts.enumerated().map { occupancy.mean($1, at: $0) }
            paths += "<path class=\"average\" d=\"\(steps(means, axis))\"/>"
        }
        return paths
    }

    /// The outline below a line of steps.
    private func area(_ values: [Double], _ axis: TimeAxis) -> String {
        let ground = Markup.number(Double(Self.height))
        var path = ""
        var index = 0
        while index < values.count {
            let value = values[index]
            let first = index
            while index < values.count, values[index] == value { index += 1 }
            guard value > 0 else { continue }
            path +=
                "M\(x(first, axis)),\(ground)V\(y(value))H\(x(index, axis))V\(ground)z"
        }
        return path
    }

    /// A line of steps, with a break where there is nothing.
    private func steps(_ values: [Double], _ axis: TimeAxis) -> String {
        var path = ""
        for (index, value) in values.enumerated() where value > 0 {
            let isNew = index == 0 || values[index - 1] == 0
            path += (isNew ? "M\(x(index, axis))," : "V") + "\(y(value))H\(x(index + 1, axis))"
        }
        return path
    }

    private func x(_ edge: Int, _ axis: TimeAxis) -> String {
        Markup.number(axis.x(TimelinePoint(milliseconds: occupancy.bins.edges[edge])))
    }

    private func y(_ value: Double) -> String {
        let height = Double(Self.height) - 1
        return Markup.number(height - value / Double(highest) * (height - Self.top))
    }

    /// Hatching over times in which the board listened for less than half of the time.
    private func blind(_ board: LogIdentity, _ axis: TimeAxis) -> String {
        guard let timeline = model.coverage.first(where: { $0.board == board && $0.isOnWallClock }) else {
            return ""
        }
        let parts = ListeningShares(timeline, in: occupancy.bins).parts
        var result = ""
        var index = 0
        while index < parts.count {
            let first = index
            while index < parts.count, parts[index].isMostlyUnknown { index += 1 }
            if index > first {
                let (left, right) = (occupancy.bins.edges[first], occupancy.bins.edges[index])
                let start = axis.x(TimelinePoint(milliseconds: left)) / axis.width
                let end = axis.x(TimelinePoint(milliseconds: right)) / axis.width
                result +=
                    "<rect class=\"blind\" fill=\"url(#coverage-blind)\" x=\"\(Markup.percent(start))\" y=\"0\" "
                    + "width=\"\(Markup.percent(end - start))\" height=\"100%\"/>"
            }
            index = max(index, first + 1)
        }
        return result
    }

    var csv: [[String]] {
        let people = model.options.people
        var lines = [["board", "start", "end", "peak", "most", "mean"]]
        for board in boards {
            for (index, part) in occupancy.boards[board, default: []].enumerated() {
                let edges = occupancy.bins.edges[index...index + 1].map {
                    TimeText.utc(WallClockTime(clamping: $0))
                }
                let mean = (occupancy.mean(part, at: index) * 100).rounded() / 100
                lines.append(
                    [model.names[board]] + edges
                        + [
                            people.field(part.peak), people.field(part.most),
                            people.hidesSmall ? "" : "\(mean)",
                        ])
            }
        }
        return lines
    }
}

extension ListeningShares.Part {
    fileprivate var isMostlyUnknown: Bool {
        if case .listened(let share) = self { share < 0.5 } else { true }
    }
}
