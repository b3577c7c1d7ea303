import CommandLineText
import Dashboard
import Reports

/// Files with what commands write.
struct DownloadsPage: ServedPage {
    static let path = "/downloads"

    let place = DashboardPage.Place(path, "Downloads")

    func fill(
        _ page: inout DashboardPage, _ fields: FieldList, _ evidence: EvidenceOptions
    ) throws(Failure) {
        page.content = Self.form(fields)
    }

    static func form(_ fields: FieldList) -> String {
        let items = Download.all.map {
            "<li><b>\($0.name)</b>: \(Markup.escaped($0.meaning)), as <code>tabardctl \($0.command)</code></li>"
        }
        return DashboardForm(
            path,
            [
                .text("board", "Only of this board", hint: "its name, or first digits of its log"), .since,
                .until,
                .text(
                    "minimum-duration", "At least", hint: "90s, 10min or 2h; not for presence and coverage"),
            ], fields, buttons: Download.all.map { ($0.name, $0.path) }
        ).html() + "<ul class=\"downloads\">\n\(items.joined(separator: "\n"))\n</ul>\n"
            + "<p>Folders of tables for R, pandas and clusters: <code>tabardctl help export</code>.</p>\n"
    }
}
