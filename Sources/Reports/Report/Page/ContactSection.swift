import Archive
import FixedMemory

/// The report's sections on contacts: time together, durations, and numbers of boards met.
struct ContactSection {
    let model: ReportModel

    /// Boards with a bar of their own.
    private static let maximumBarCount = 20
    private static let maximumPairCount = 10

    func html() -> String { matrix + durations }

    // MARK: Time together

    private var matrix: String {
        guard let pairs = model.pairs, !pairs.sums.isEmpty else { return "" }
        let people = model.options.people
        let matrix = ContactMatrix(
            pairs, boards: model.boards, names: model.names, labels: model.ownBoards.people,
            byGroup: model.options.byGroup || people.hidesSmall, smallestGroup: people.smallest)
        guard !matrix.names.isEmpty else { return "" }
        let table = MatrixTable(matrix: matrix)
        return """
            <section>
            <h2>Time together</h2>
            <p class="note">\(Markup.escaped(note(pairs, matrix)))</p>
            <div class="beside">
            \(table.html())\(longestPairs(pairs))</div>
            \(Markup.download(table.csv, as: "contact-matrix"))</section>

            """
    }

    private func note(_ pairs: PairTotals, _ matrix: ContactMatrix) -> String {
        var text = "Minutes that boards of this archive were together, "
        text += matrix.isOfGroups ? "summed up by group, " : ""
        text += "whichever of both heard the other: \(Markup.count(pairs.contactCount, "contact")) "
        text +=
            "of \(Markup.count(pairs.sums.count, "pair")). A stronger shade is a longer time; an empty one "
        text += "means that no contact was heard. Contacts that a peer only wrote are left out."
        if pairs.undatedCount > 0 {
            text += " \(Markup.count(pairs.undatedCount, "contact")) without a known time are left out, too."
        }
        return text
    }

    /// The pairs that were together longest.
    private func longestPairs(_ pairs: PairTotals) -> String {
        guard model.options.showsSinglePeople, pairs.sums.count > 1 else { return "" }
        let shown = pairs.ranked(model.names).prefix(Self.maximumPairCount)
        let bars = BarList(
            shown.map { pair, sum in
                (
                    "\(model.name(of: pair.first)) and \(model.name(of: pair.second))",
                    "\(TimeText.duration(sum.time)) in \(Markup.count(sum.contactCount, "contact"))",
                    Double(sum.time.milliseconds)
                )
            })
        let title = shown.count < pairs.sums.count ? "Longest together" : "Pairs"
        return "<div class=\"figure\"><h3>\(title)</h3>\n\(bars.html())</div>\n"
    }

    // MARK: How long, and with how many

    private var durations: String {
        guard model.totals.count > 0 else { return "" }
        var csv = [["what", "class", "count"]]
        var blocks = [block("Encounters", "encounter", model.totals.durations, &csv)]
        if let pairs = model.pairs, pairs.durations.total > 0 {
            blocks.append(block("Contacts between boards", "contact", pairs.durations, &csv))
        }
        return """
            <section>
            <h2>How long, and with how many</h2>
            <p class="note">An encounter is one identity near one board, and phones change theirs every few minutes. \
            A contact is of two boards, whatever identities they showed.</p>
            <div class="pair">
            \(blocks.joined())\(degrees)</div>
            \(Markup.download(csv, as: "durations"))</section>

            """
    }

    private func block(
        _ title: String, _ kind: String, _ histogram: DurationHistogram, _ csv: inout [[String]]
    ) -> String {
        let rows = histogram.used.map { index in
            let count = histogram.counts[index]
            csv.append([kind, DurationHistogram.label(index), "\(count)"])
            return (DurationHistogram.label(index), Markup.grouped(count), Double(count))
        }
        return """
            <div class="figure"><h3>\(title) by duration</h3>
            \(BarList(rows).html())</div>

            """
    }

    private var degrees: String {
        guard let pairs = model.pairs, !pairs.sums.isEmpty, model.options.showsSinglePeople else { return "" }
        let ranked = pairs.degrees().sorted {
            ($1.value.boardCount, $1.value.time, model.names[$0.key])
                < ($0.value.boardCount, $0.value.time, model.names[$1.key])
        }
        let bars = BarList(
            ranked.prefix(Self.maximumBarCount).map { board, degree in
                (
                    model.name(of: board),
                    "\(Markup.count(degree.boardCount, "board")), \(TimeText.duration(degree.time))",
                    Double(degree.boardCount)
                )
            })
        let middle = ranked[ranked.count / 2].value.boardCount
        let more =
            ranked.count > Self.maximumBarCount
            ? "<p class=\"note\">The first \(Self.maximumBarCount) of \(Markup.count(ranked.count, "board")); "
                + "the median is \(middle).</p>\n" : ""
        return """
            <div class="figure"><h3>Boards met by each board</h3>
            \(bars.html())\(more)</div>

            """
    }
}
