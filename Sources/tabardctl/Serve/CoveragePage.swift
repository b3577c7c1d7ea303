import Archive
import CommandLineText
import Dashboard
import FixedMemory
import Reports

/// The answer of `tabardctl coverage`: of each board the sums, and so many times.
struct CoveragePage: ServedPage {
    let place = DashboardPage.Place("/coverage", "Coverage")

    private static let mostParts = 24
    private static let mostRows = 100

    func fill(
        _ page: inout DashboardPage, _ fields: FieldList, _ evidence: EvidenceOptions
    ) throws(Failure) {
        page.content = form(fields, [])
        let archive = try evidence.open(.reading)
        let all = try BoardChoice.boards(named: [], of: archive)
        page.content = form(fields, all.map(\.label))
        let command = try Self.options(CoverageCommand.self, fields, ["since", "until", "board"])
        let coverage = try command.coverage(of: archive)
        for part in coverage.prefix(Self.mostParts) {
            let table = CoverageTable(
                board: part.board, timeline: part.timeline, time: TimeText(),
                senderInterval: .milliseconds(command.senderInterval))
            page.content += "<section>\n<h2>\(Markup.escaped(part.board.label))</h2>\n"
            for line in table.summary.split(whereSeparator: \.isNewline) { page.say(String(line)) }
            let (rows, isCut) = table.intervals.first(Self.mostRows)
            page.content += rows.html("Times of \(part.board.label)")
            if isCut { page.say("the first \(Self.mostRows) times are shown; choose a shorter time") }
            page.content += "</section>\n"
        }
        if coverage.count > Self.mostParts {
            page.say("\(Self.mostParts) of \(coverage.count) are shown; choose a board")
        }
    }

    private func form(_ fields: FieldList, _ names: [String]) -> String {
        DashboardForm(
            place.path,
            [
                .text("board", "Board", hint: "its name, or first digits of its log", suggestions: names),
                .since, .until,
            ], fields
        ).html()
    }
}

extension TextTable {
    /// The first rows, and whether there are more.
    fileprivate func first(_ count: Int) -> (table: TextTable, isCut: Bool) {
        guard rows.count > count else { return (self, false) }
        var table = TextTable(columns)
        rows.prefix(count).forEach { table.append($0) }
        return (table, true)
    }
}
