import Archive
import CommandLineText
import Dashboard
import Reports

/// The list of `tabardctl encounters`, in parts: it never has more rows in memory than a page shows.
struct EncountersPage: ServedPage {
    let place = DashboardPage.Place("/encounters", "Encounters")

    func fill(
        _ page: inout DashboardPage, _ fields: FieldList, _ evidence: EvidenceOptions
    ) throws(Failure) {
        page.content = form(fields, [])
        let archive = try evidence.open(.reading)
        let all = try BoardChoice.boards(named: [], of: archive)
        page.content = form(fields, all.map(\.label))
        var cut = try PageCut.of(fields)
        let options = try Self.options(
            FilterOptions.self, fields,
            ["since", "until", "board", "identity", "scheme", "minimum-duration"], flags: ["without-written"])
        var filter = try options.filter()
        try options.choose(&filter, in: archive)
        try LockedPagesText.printNote(archive, filter)
        let boards = try archiving { () throws(ArchiveError) in
            OwnBoards(try archive.servedIdentities(), people: try archive.labels())
        }
        var table = EncounterListTable(
            boards: boards, labels: try BoardChoice.labels(archive), time: TimeText())
        try archiving { () throws(ArchiveError) in
            try archive.forEachEncounter(matching: filter) { encounter in
                let use = cut.next()
                if use == .take { table.append(encounter) }
                return use != .stop
            }
        }
        let count = try archiving { () throws(ArchiveError) in try archive.encounterCount() }
        page.add(table, cut, fields, absence: AbsenceText.encounters.text(of: count, options.description))
    }

    private func form(_ fields: FieldList, _ names: [String]) -> String {
        DashboardForm(
            place.path,
            [
                .text("board", "Board", hint: "its name, or first digits of its log", suggestions: names),
                .text("identity", "Identity", hint: "first digits, a name or a label"),
                .since, .until,
                .text("minimum-duration", "At least", hint: "90s, 10min or 2h"),
                .text("scheme", "Scheme", hint: "such as herald"),
                .check("without-written", "without what peers only wrote"),
            ], fields
        ).html()
    }
}
