import Archive
import CommandLineText
import Dashboard
import Reports

/// The list of `tabardctl contacts`, in parts.
struct ContactsPage: ServedPage {
    let place = DashboardPage.Place("/contacts", "Contacts")

    func fill(
        _ page: inout DashboardPage, _ fields: FieldList, _ evidence: EvidenceOptions
    ) throws(Failure) {
        page.content = form(fields, [])
        let archive = try evidence.open(.reading)
        let all = try BoardChoice.boards(named: [], of: archive)
        page.content = form(fields, all.map(\.label))
        var cut = try PageCut.of(fields)
        let command = try Self.options(
            ContactsCommand.self, fields, ["since", "until", "board", "minimum-duration"],
            flags: ["both-sides", "without-written"])
        let filter = try command.filter(archive)
        try LockedPagesText.printNote(archive, all)
        let distances = try command.calibration.distances(in: archive)
        var table = ContactTable(names: BoardNames(all), distances, time: TimeText())
        try archiving { () throws(ArchiveError) in
            try archive.forEachContact(matching: filter) { contact in
                let use = cut.next()
                if use == .take { table.append(contact) }
                return use != .stop
            }
        }
        let count = try archiving { () throws(ArchiveError) in try archive.contactCount() }
        page.add(table, cut, fields, absence: AbsenceText.contacts.text(of: count, command.givenOptions))
    }

    private func form(_ fields: FieldList, _ names: [String]) -> String {
        DashboardForm(
            place.path,
            [
                .text(
                    "board", "Only of this board", hint: "its name, or first digits of its log",
                    suggestions: names),
                .since, .until,
                .text("minimum-duration", "At least", hint: "90s, 10min or 2h"),
                .check("both-sides", "both heard each other"),
                .check("without-written", "without what peers only wrote"),
            ], fields
        ).html()
    }
}
