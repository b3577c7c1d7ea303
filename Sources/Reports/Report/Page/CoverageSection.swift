import Archive
import EncounterLog
import FixedMemory

/// The report's section about coverage and the longest blind times.
struct CoverageSection {
    let model: ReportModel

    private static let maximumRowCount = 12
    /// Lines of text about single boards, and about erased ranges.
    private static let maximumLineCount = 3
    private static let maximumLossCount = 20
    /// Strips show a record of so many boards and such a length well; others get a heat map.
    private static let maximumStripCount = 12
    private static let longestStrip = Interval.hours(48)
    /// Boots without a clock have figures of their own.
    private static let maximumFigureCount = 6

    func html() -> String {
        guard !model.coverage.isEmpty else { return "" }
        return """
            <section>
            <h2>When \(model.boards.count == 1 ? "the board" : "the boards") listened</h2>
            <p class="note">\(Markup.unbroken(Markup.escaped(note)))</p>
            \(figures)\(table)\(losses)</section>

            """
    }

    private var note: String {
        let sentences = model.coverage.prefix(Self.maximumLineCount).map { timeline in
            let summary = CoverageSummary(timeline.fetched)
            let start =
                timeline.isOnWallClock ? "" : ", in a boot without a clock,"
            return "\(model.name(of: timeline.board))\(start) \(CoverageText.share(ofFetched: timeline)); "
                + "\(CoverageText.faults(summary))." + detection(timeline)
        }
        return sentences.joined(separator: " ")
            + " Outside covered time an absence means nothing. Very short blind times are drawn "
            + "wider than they were."
    }

    /// A sentence for a board that listened for a part of the time only; " " before it.
    private func detection(_ timeline: CoverageTimeline) -> String {
        let timings = timeline.timings.filter { $0.isSparser(than: Self.ordinary) }
        let texts = timings.compactMap { DetectionText.text($0) }
        guard !texts.isEmpty else { return "" }
        return " To spare its battery it was at times \(texts.joined(separator: "; "))."
    }

    /// A board with at least this timing misses hardly anything within seconds.
    private static let ordinary = ScanTiming(intervalMilliseconds: 60, windowMilliseconds: 45)

    /// The erased ranges that the archive lacks, over the whole record.
    private var losses: String {
        let lines = model.boards.flatMap { board in
            (model.logs[board.identity]?.losses ?? []).map {
                model.boards.count > 1 ? "\(board.label): \($0)" : $0
            }
        }
        guard !lines.isEmpty else { return "" }
        let more = lines.count - Self.maximumLossCount
        let shown = lines.prefix(Self.maximumLossCount) + (more > 0 ? ["and \(more) more"] : [])
        let items = shown.map { "<li>\(Markup.unbroken(Markup.escaped($0)))</li>" }
        return """
            <h3>Erased by \(model.boards.count == 1 ? "the board" : "the boards")</h3>
            <ul class="losses">
            \(items.joined(separator: "\n"))
            </ul>

            """
    }

    private var figures: String {
        let dated = model.coverage.filter(\.isOnWallClock)
        let others = model.coverage.filter { !$0.isOnWallClock }
        let isLong = model.datedRange.map { $0.length > Self.longestStrip } ?? false
        guard dated.count > Self.maximumStripCount || isLong && !dated.isEmpty else {
            return strips((dated.isEmpty ? [] : [dated]) + others.map { [$0] })
        }
        return heatMap(dated) + strips(others.map { [$0] })
    }

    private func strips(_ groups: [[CoverageTimeline]]) -> String {
        guard !groups.isEmpty else { return "" }
        let figures = groups.prefix(Self.maximumFigureCount).map {
            CoverageFigure(model: model, timelines: $0).html()
        }
        return "<div class=\"figure\">\n\(figures.joined())\(CoverageState.key)</div>\n"
    }

    private func heatMap(_ timelines: [CoverageTimeline]) -> String {
        guard let range = model.datedRange else { return "" }
        let bins = TimeBins(covering: range, zone: model.time)
        let figure = HeatMapFigure(model: model, timelines: timelines, bins: bins)
        let hidden = timelines.count - HeatMapFigure.maximumBoardCount
        let more =
            hidden > 0
            ? " \(Markup.count(hidden, "more board")) \(hidden == 1 ? "has" : "have") no room." : ""
        return """
            <p class="note">Each cell is one \(bins.unit).\(more)</p>
            <div class="figure">
            \(figure.html())</div>
            \(Markup.download(figure.csv, as: "coverage"))
            """
    }

    private var table: String {
        let blind = model.coverage.flatMap { timeline in
            timeline.blind.filter { $0.duration >= Self.shortest }
                .map { (timeline: timeline, interval: $0) }
        }
        let longest = blind.indices.sorted {
            blind[$0].interval.duration > blind[$1].interval.duration
        }.prefix(Self.maximumRowCount).sorted()
        guard !longest.isEmpty else { return "" }
        let showsBoard = model.boards.count > 1
        let caption =
            longest.count == blind.count
            ? "Blind times" : "The \(longest.count) longest of \(Markup.grouped(blind.count)) blind times"
        let rows = longest.map { row(blind[$0].interval, of: blind[$0].timeline, showsBoard: showsBoard) }
        return """
            <table class="blind cards">
            <caption>\(caption)\(day.map { ", \($0)" } ?? "")</caption>
            <thead><tr>\(showsBoard ? "<th scope=\"col\">Board</th>" : "")<th scope="col">From</th>\
            <th scope="col">To</th><th scope="col" class="n">Duration</th>\
            <th scope="col">Cause</th></tr></thead>
            <tbody>
            \(rows.joined())</tbody>
            </table>

            """
    }

    /// The day of the whole record if it is one day.
    private var day: String? {
        guard let range = model.datedRange, model.coverage.allSatisfy(\.isOnWallClock) else { return nil }
        let days = [range.lowerBound, range.upperBound].map { WallClockTime(clamping: $0.milliseconds) }
        let isOne = model.time.startOfDay(days[0]) == model.time.startOfDay(days[1])
        return isOne ? model.time.longDate(days[0]) : nil
    }

    /// Shorter times would be listed as 0.0 s.
    private static let shortest = Interval.milliseconds(50)

    private func row(
        _ interval: BlindInterval, of timeline: CoverageTimeline, showsBoard: Bool
    ) -> String {
        let board = showsBoard ? "<td>\(Markup.escaped(model.name(of: timeline.board)))</td>" : ""
        return """
            <tr>\(board)<td>\(moment(interval.start, of: timeline))</td>\
            <td>\(moment(interval.end, of: timeline))</td>\
            <td class="n">\(Markup.unbroken(CoverageText.duration(interval.duration)))</td>\
            <td>\(Markup.unbroken(Markup.escaped(interval.cause.text)))</td></tr>

            """
    }

    /// Without the date where the caption has it.
    private func moment(_ point: TimelinePoint, of timeline: CoverageTimeline) -> String {
        guard day != nil, let wallClock = timeline.timeline.wallClock(point) else {
            return Markup.moment(point, on: timeline.timeline, model.time)
        }
        return """
            <time datetime="\(TimeText.utc(wallClock))"><b>\(model.time.time(wallClock))</b></time>
            """
    }
}
