import BoardHealth
import BoardLink
import CommandLineText
import Dashboard
import FixedMemory
import Reports
import Sync

/// The boards in the dock: how they are, and how far a fetch is.
struct BoardsPage: ServedPage {
    static let path = "/boards"
    /// The part that a script brings up to date.
    static let livePath = "/boards/live"
    static let fetchPath = "/boards/fetch"

    let dock: ServedDock
    let token: AccessToken

    let place = DashboardPage.Place(path, "Boards")

    func fill(
        _ page: inout DashboardPage, _ fields: FieldList, _ evidence: EvidenceOptions
    ) throws(Failure) {
        page.isLive = true
        page.subtitle = "What is plugged into this computer now"
        page.content =
            "<p id=\"said\" class=\"unseen\" role=\"status\"></p>\n"
            + "<div id=\"live\" data-source=\"\(Self.livePath)\">\n\(Self.live(dock))</div>\n"
        if dock.view().fetchesAlways {
            page.say("New data is fetched as soon as a board is plugged in, and every 15 minutes.")
        } else {
            page.content += DashboardForm.action(Self.fetchPath, "Fetch new data from all boards", token)
        }
    }

    static func live(_ dock: ServedDock) -> String {
        let view = dock.view()
        var text = ""
        if let problem = view.problem { text += "<p class=\"problem\">\(Markup.escaped(problem))</p>\n" }
        guard !view.ports.isEmpty else {
            return text
                + "<p class=\"answer\">No board is plugged in. Use a cable with data lines, at the board's "
                + "USB device port, and wait half a minute after power on.</p>\n"
        }
        let now = Instant.now
        let items = view.ports.map { port in
            item(port, view.slots.first { $0.port.path == port.port.path }, now)
        }
        return text + "<ul class=\"boards\">\n\(items.joined())</ul>\n"
    }

    private static func item(_ port: ServedPort, _ slot: DockSlot?, _ now: Instant) -> String {
        let path = port.port.path
        let name = port.name ?? slot?.label
        let said = slot.flatMap(DockText.announcement).map { " data-said=\"\(Markup.escaped($0))\"" } ?? ""
        var text = "<li\(said)><h2>\(Markup.escaped(name ?? path))</h2>\n"
        var place = name == nil ? [] : [path]
        if case .board(let index, let status)? = port.probed?.finding {
            place += ["log \(index.board.short)", "version \(status.versionText)"]
            text += "<p class=\"where\">\(Markup.escaped(place.joined(separator: ", ")))</p>\n"
            text += "<p>\(Markup.escaped(BoardStateText.text(status)))</p>\n"
        } else if !place.isEmpty {
            text += "<p class=\"where\">\(Markup.escaped(place.joined(separator: ", ")))</p>\n"
        } else if port.probed == nil, slot == nil {
            text += "<p>not asked yet</p>\n"
        }
        if let slot { text += fetch(slot, now) }
        if let findings = port.patient?.findings { text += self.findings(findings) }
        return text + "</li>\n"
    }

    private static func fetch(_ slot: DockSlot, _ now: Instant) -> String {
        let line = DockText.line(slot, isShort: true, now: now)
        let label = slot.label ?? slot.port.path
        let state = line.hasPrefix("\(label): ") ? String(line.dropFirst(label.count + 2)) : line
        var text = "<p class=\"fetch\">Fetch: \(Markup.unbroken(Markup.escaped(state)))</p>\n"
        if case .syncing(let progress, _) = slot.state, progress.totalByteCount > 0 {
            text +=
                "<progress aria-label=\"Fetched of \(Markup.escaped(label))\" max=\"\(progress.totalByteCount)\" "
                + "value=\"\(progress.fetchedByteCount)\"></progress>\n"
        }
        return text
    }

    private static func findings(_ findings: [Finding]) -> String {
        let items = findings.map { finding in
            "<li class=\"\(finding.level.rawValue)\"><b>\(finding.level.rawValue)</b> "
                + "<span>\(Markup.escaped(finding.subject))</span> <span>\(Markup.escaped(finding.text))</span>"
                + remedy(finding) + "</li>"
        }
        return "<ul class=\"findings\">\n\(items.joined(separator: "\n"))\n</ul>\n"
    }

    private static func remedy(_ finding: Finding) -> String {
        switch finding.remedy {
        case .run(let command): " <span class=\"remedy\">run <code>\(Markup.escaped(command))</code></span>"
        case .advice(let text): " <span class=\"remedy\">\(Markup.escaped(text))</span>"
        case nil: ""
        }
    }
}
