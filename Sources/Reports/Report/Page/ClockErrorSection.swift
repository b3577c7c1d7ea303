import Archive
import FixedMemory

/// The report's section on how well the times are known.
struct ClockErrorSection {
    let model: ReportModel

    private static let maximumRowCount = 40

    func html() -> String {
        let boards = model.boards.filter { model.totals.boards[$0.identity] != nil }
        guard !boards.isEmpty else { return "" }
        let worst = boards.sorted {
            (value($1), model.names[$0.identity]) < (value($0), model.names[$1.identity])
        }.prefix(Self.maximumRowCount)
        let shown = boards.filter { board in worst.contains { $0.identity == board.identity } }
        let bars = BarList(shown.map { (model.name(of: $0.identity), text($0), size($0)) })
        let csv =
            [["board", "worst_error_seconds", "encounters_of_unknown_error"]]
            + shown.map { board in
                let part = model.totals.boards[board.identity] ?? EncounterTotals.BoardPart()
                return [
                    model.names[board.identity], "\(part.worstError.fractionalSeconds)",
                    "\(part.unknownErrorCount)",
                ]
            }
        let more =
            boards.count > shown.count ? " The \(shown.count) worst of \(boards.count) boards are here." : ""
        return """
            <section>
            <h2>How well the times are known</h2>
            <p class="note">The worst error of any encounter's time, either way. Two times of one board \
            differ by less. The bars have a logarithmic scale.\(more)</p>
            <div class="figure">
            \(bars.html())</div>
            \(Markup.download(csv, as: "clock-error"))</section>

            """
    }

    /// Boards with times of unknown error come first.
    private func value(_ board: ArchivedBoard) -> UInt64 {
        let part = model.totals.boards[board.identity] ?? EncounterTotals.BoardPart()
        return part.unknownErrorCount > 0 ? .max : part.worstError.milliseconds
    }

    /// The order of magnitude: a millisecond has none.
    private func size(_ board: ArchivedBoard) -> Double {
        var rest = model.totals.boards[board.identity]?.worstError.milliseconds ?? 0
        var bits = 0.0
        while rest > 1 {
            bits += rest < 4 ? Double(rest) / 4 : 1
            rest /= 2
        }
        return bits
    }

    private func text(_ board: ArchivedBoard) -> String {
        let part = model.totals.boards[board.identity] ?? EncounterTotals.BoardPart()
        let known = "±\(TimeText.error(part.worstError))"
        guard part.unknownErrorCount > 0 else { return known }
        let unknown = "unknown for \(Markup.count(part.unknownErrorCount, "encounter"))"
        return part.unknownErrorCount == part.count ? unknown : "\(known), \(unknown)"
    }
}
