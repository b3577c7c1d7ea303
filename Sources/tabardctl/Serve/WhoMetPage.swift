import Archive
import CommandLineText
import Dashboard
import Reports

/// The answer of `tabardctl who-met`.
struct WhoMetPage: ServedPage {
    let place = DashboardPage.Place("/who-met", "Who met")

    private static let mostUnheard = 100

    func fill(
        _ page: inout DashboardPage, _ fields: FieldList, _ evidence: EvidenceOptions
    ) throws(Failure) {
        page.content = form(fields, [])
        let archive = try evidence.open(.reading)
        let boards = try BoardChoice.boards(named: [], of: archive)
        page.content = form(fields, boards.map(\.label))
        guard let name = fields.text("name") else {
            return page.say("Write the name of a board or person, or the first digits of an identity.")
        }
        var cut = try PageCut.of(fields)
        let command = try Self.options(
            WhoMetCommand.self, fields, ["since", "until", "minimum-duration"],
            flags: ["strangers", "without-written"], words: [name])
        try LockedPagesText.printNote(archive, boards)
        let search = try command.search(archive, boards)
        let found = try search.meetings(of: command.name, withStrangers: command.strangers)
        page.subtitle = found.subject
        let shown = found.meetings.filter { _ in cut.next() == .take }
        page.add(
            MeetingTable(shown, search.distances, time: TimeText()), cut, fields,
            absence: "\(found.subject) met nobody, as far as the archive knows")
        if found.strangerCount > 0, !command.strangers {
            page.say(
                "\(Count.text(found.strangerCount, "encounter")) with identities of no board; tick the box above "
                    + "to list them")
        }
        let unheard = command.unheard(found)
        guard !unheard.text.isEmpty else { return }
        page.content += "<section>\n<h2>Times without listening</h2>\n"
        page.say(unheard.text)
        let times = unheard.listed.prefix(Self.mostUnheard)
        if !times.isEmpty {
            let table = UnheardTable(Array(times), names: search.names, time: TimeText()).table
            page.content += table.html("Times in which the board did not listen")
        }
        if unheard.listed.count > times.count {
            page.say("the first \(times.count) of \(unheard.listed.count) are shown; choose a shorter time")
        }
        page.content += "</section>\n"
    }

    private func form(_ fields: FieldList, _ names: [String]) -> String {
        DashboardForm(
            place.path,
            [
                .text(
                    "name", "Board, person or identity", hint: "a name, or first digits", suggestions: names),
                .since, .until,
                .text("minimum-duration", "At least", hint: "90s, 10min or 2h"),
                .check("strangers", "also identities of no board"),
                .check("without-written", "without what peers only wrote"),
            ], fields
        ).html()
    }
}
