import Archive
import CommandLineText
import Dashboard
import Reports

/// The list of `tabardctl presence`, in parts.
struct PresencePage: ServedPage {
    let place = DashboardPage.Place("/presence", "Presence")

    func fill(
        _ page: inout DashboardPage, _ fields: FieldList, _ evidence: EvidenceOptions
    ) throws(Failure) {
        page.content = form(fields, [])
        let archive = try evidence.open(.reading)
        let all = try BoardChoice.boards(named: [], of: archive)
        page.content = form(fields, all.map(\.label))
        var cut = try PageCut.of(fields)
        let command = try Self.options(PresenceCommand.self, fields, ["since", "until", "board", "by"])
        let times = try command.time.times()
        let boards = try command.time.boards(of: archive)
        try LockedPagesText.printNote(archive, boards)
        let time = TimeText()
        var table = PresenceTable(unit: command.by, names: BoardNames(boards), time: time, hasBars: false)
        try archiving { () throws(ArchiveError) in
            try PresencePeriods.forEach(
                in: archive, boards: Set(boards.map(\.identity)), since: times.since, until: times.until,
                by: command.by, time
            ) { period in
                let use = cut.next()
                if use == .take { table.append(period) }
                return use != .stop
            }
        }
        page.add(table, cut, fields, absence: "nobody was near")
    }

    private func form(_ fields: FieldList, _ names: [String]) -> String {
        let units = PresenceCommand.Unit.allCases.map(\.rawValue)
        return DashboardForm(
            place.path,
            [
                .text("board", "Board", hint: "its name, or first digits of its log", suggestions: names),
                .since, .until,
                .choice(
                    "by", "A row for each", [("", "hour")] + units.filter { $0 != "hour" }.map { ($0, $0) }),
            ], fields
        ).html()
    }
}
