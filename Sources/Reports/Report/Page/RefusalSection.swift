import Archive
import EncounterLog

/// The report's section about refused identities: how often, and why.
struct RefusalSection {
    let model: ReportModel

    func html() -> String {
        guard !model.refusals.isEmpty else { return "" }
        let showsBoard = model.boards.count > 1
        let board = showsBoard ? "<th scope=\"col\">Board</th>" : ""
        return """
            <section>
            <h2>Refused identities</h2>
            <p class="note">Peers presented these invalid identities, and the board ignored them. \
            An identity with another time than its reading comes from a device with a wrong clock, or is a replay.</p>
            <div class="figure scroll" role="region" aria-label="Refused identities" tabindex="0">
            <table>
            <thead><tr>\(board)<th scope="col">Scheme</th><th scope="col">Reason</th>\
            <th scope="col" class="n">Count</th>\
            <th scope="col">First</th><th scope="col">Last</th></tr></thead>
            <tbody>
            \(model.refusals.prefix(Self.maximumRowCount).map { row($0, showsBoard: showsBoard) }.joined())</tbody>
            </table>
            </div>
            \(more)</section>

            """
    }

    /// Each boot without a clock has rows of its own.
    private static let maximumRowCount = 50

    private var more: String {
        let count = model.refusals.count - Self.maximumRowCount
        guard count > 0 else { return "" }
        return """
            <p class="note">\(Markup.count(count, "more row")): <code>tabardctl encounters --refused</code></p>

            """
    }

    private func row(_ refusal: RefusalSummary, showsBoard: Bool) -> String {
        let board = showsBoard ? "<td>\(Markup.escaped(model.name(of: refusal.board)))</td>" : ""
        return """
            <tr>\(board)<td>\(Markup.escaped(refusal.scheme.label))</td>\
            <td>\(Markup.escaped("\(refusal.reason.text)"))</td>\
            <td class="n">\(Markup.grouped(refusal.count))</td>\
            <td>\(moment(refusal.first, of: refusal))</td>\
            <td>\(moment(refusal.last, of: refusal))</td></tr>

            """
    }

    private func moment(_ point: TimelinePoint, of refusal: RefusalSummary) -> String {
        Markup.moment(point, on: refusal.timeline, model.time)
    }
}
