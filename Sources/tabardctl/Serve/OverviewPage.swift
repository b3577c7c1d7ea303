import Archive
import CommandLineText
import Dashboard
import Foundation
import Reports

/// A day at all boards, as `tabardctl summary`, and the boards of the archive.
struct OverviewPage: ServedPage {
    let dock: ServedDock?

    let place = DashboardPage.Place("/", "Overview")

    func fill(
        _ page: inout DashboardPage, _ fields: FieldList, _ evidence: EvidenceOptions
    ) throws(Failure) {
        let form = DashboardForm(place.path, [.since, .until], fields)
        page.content = form.html()
        if let dock { page.content += Self.docked(dock) }
        let options = try Self.options(TimeOptions.self, fields, ["since", "until"])
        let times = try options.times()
        let archive = try evidence.open(.reading)
        let boards = try options.boards(of: archive)
        try LockedPagesText.printNote(archive, boards)
        let time = TimeText()
        let day = try DaySummary(archive: archive, boards: boards, times, time)
        page.subtitle = day.title(time)
        page.content += "<section>\n<h2>Who listened, how many came</h2>\n"
        page.content += day.table(time).html("Figures of each board") + "</section>\n"
        page.content += try archiving { () throws(ArchiveError) in
            try OccupancyPart.html(archive, boards, since: day.start, until: day.end, time: time)
        }
        if day.meetings.count > 1 {
            page.content += "<section>\n<h2>Who met</h2>\n<ul class=\"downloads\">\n"
            for line in day.meetings where !line.isEmpty {
                page.content += "<li>\(Markup.unbroken(Markup.escaped(line)))</li>\n"
            }
            page.content += "</ul>\n</section>\n"
        }
        page.content += "<section>\n<h2>Boards of the archive</h2>\n"
        page.content += try Self.boards(archive, boards, time) + "</section>\n"
    }

    private static func boards(
        _ archive: Archive, _ boards: [ArchivedBoard], _ time: TimeText
    ) throws(Failure) -> String {
        let listed = try archiving { () throws(ArchiveError) in try ListedBoard.all(boards, of: archive) }
        return BoardListTable(listed, time: time).table.html("Boards of the archive")
    }

    /// A line about the boards that are plugged in.
    private static func docked(_ dock: ServedDock) -> String {
        let ports = dock.view().ports
        let text: String
        if ports.isEmpty {
            text = "No board is plugged in."
        } else {
            let faults = ports.reduce(0) { $0 + ($1.patient?.findings.count { $0.level == .fault } ?? 0) }
            let state = faults > 0 ? ", with \(Count.text(faults, "fault"))" : ""
            text = "\(Count.text(ports.count, "port has", "ports have")) a board or something else\(state)."
        }
        return
            "<p class=\"answer\">\(Markup.escaped(text)) <a href=\"\(BoardsPage.path)\">See the dock</a></p>\n"
    }
}
