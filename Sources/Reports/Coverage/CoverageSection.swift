import Archive
import EncounterLog

/// The report's section about coverage and the longest blind times.
struct CoverageSection {
    let model: ReportModel

    private static let maximumRowCount = 12

    func html() -> String {
        guard !model.coverage.isEmpty else { return "" }
        return """
            <section>
            <h2>When \(model.boards.count == 1 ? "the board" : "the boards") listened</h2>
            <p class="note">\(Markup.unbroken(Markup.escaped(note)))</p>
            <div class="figure">
            \(figures)\(CoverageState.key)</div>
            \(table)\(losses)</section>

            """
    }

    private var note: String {
        let sentences = model.coverage.map { timeline in
            let summary = CoverageSummary(timeline.fetched)
            let start =
                timeline.isOnWallClock ? "" : ", in a boot without a clock,"
            return "\(model.name(of: timeline.board))\(start) \(CoverageText.share(ofFetched: timeline)); "
                + "\(CoverageText.faults(summary))." + detection(timeline)
        }
        return sentences.prefix(6).joined(separator: " ")
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
            model.losses[board.identity, default: []].map {
                model.boards.count > 1 ? "\(board.label): \($0)" : $0
            }
        }
        guard !lines.isEmpty else { return "" }
        let items = lines.map { "<li>\(Markup.unbroken(Markup.escaped($0)))</li>" }
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
        let groups = (dated.isEmpty ? [] : [dated]) + others.map { [$0] }
        return groups.enumerated().map { index, timelines in
            CoverageFigure(model: model, timelines: timelines, identifier: "coverage-\(index + 1)").svg()
        }.joined()
    }

    private var table: String {
        let blind = model.coverage.flatMap { timeline in
            timeline.blind.map { (timeline: timeline, interval: $0) }
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
            <table class="blind">
            <caption>\(caption)</caption>
            <thead><tr>\(showsBoard ? "<th scope=\"col\">Board</th>" : "")<th scope="col">From</th>\
            <th scope="col">To</th><th scope="col" class="n">Duration</th>\
            <th scope="col">Cause</th></tr></thead>
            <tbody>
            \(rows.joined())</tbody>
            </table>

            """
    }

    private func row(
        _ interval: BlindInterval, of timeline: CoverageTimeline, showsBoard: Bool
    ) -> String {
        let board = showsBoard ? "<td>\(Markup.escaped(model.name(of: timeline.board)))</td>" : ""
        return """
            <tr>\(board)<td>\(moment(interval.start, of: timeline))</td>\
            <td>\(moment(interval.end, of: timeline))</td>\
            <td class="n">\(CoverageText.duration(interval.duration))</td>\
            <td>\(Markup.escaped(interval.cause.text))</td></tr>

            """
    }

    private func moment(_ point: TimelinePoint, of timeline: CoverageTimeline) -> String {
        Markup.moment(point, on: timeline.timeline, model.time)
    }
}
