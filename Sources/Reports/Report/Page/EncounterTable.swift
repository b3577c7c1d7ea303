import Archive
import EncounterLog
import FixedMemory

/// The report's table of encounters: all, or of many the longest.
struct EncounterTable {
    let model: ReportModel

    func html() -> String {
        guard !model.encounters.isEmpty else { return moreRows.isEmpty ? "" : section("Encounters", "") }
        let showsBoard = model.boards.count > 1
        let title =
            model.totals.count == model.encounters.count
            ? "All encounters" : "The \(model.encounters.count) longest encounters"
        return section(
            title,
            """
            <div class="figure scroll" role="region" aria-label="\(title)" tabindex="0">
            <table class="rows">
            <thead><tr><th scope="col">Who</th>\(showsBoard ? "<th scope=\"col\">Board</th>" : "")\
            <th scope="col">Start</th><th scope="col">End</th><th scope="col" class="n">Duration</th>\
            <th scope="col" class="n">Readings</th><th scope="col" class="n">Strongest<br><small>dBm</small></th>\
            <th scope="col" class="n">Mean<br><small>dBm</small></th><th scope="col">Remarks</th></tr></thead>
            <tbody>
            \(model.encounters.map { row($0, showsBoard: showsBoard) }.joined())</tbody>
            </table>
            </div>

            """)
    }

    private func section(_ title: String, _ table: String) -> String {
        "<section class=\"listing\">\n<h2>\(title)</h2>\n\(table)\(moreRows)</section>\n\n"
    }

    /// Where the rows are that the page has no room for, or does not show.
    private var moreRows: String {
        guard model.totals.count > model.encounters.count else { return "" }
        let why =
            model.options.showsSinglePeople
            ? "All \(Markup.count(model.totals.count, "encounter")) as CSV:"
            : "Single encounters are left out, because they are of single people. This command prints them:"
        return """
            <p class="note">\(why) <code>\(Markup.escaped(model.origin.rowsCommand))</code></p>

            """
    }

    private func row(_ encounter: Encounter, showsBoard: Bool) -> String {
        let board =
            showsBoard ? "<td data-of=\"near\">\(Markup.escaped(model.name(of: encounter.board)))</td>" : ""
        let rssi = encounter.rssi
        return """
            <tr><th scope="row" title="\(encounter.identity?.hexadecimal ?? "")">\(Markup.escaped(model.who(encounter.summary)))</th>\
            \(board)<td>\(moment(encounter.start, of: encounter))</td>\
            <td>\(moment(encounter.end, of: encounter))</td>\
            <td class="n">\(TimeText.duration(encounter.duration))</td>\
            <td class="n" data-of="readings">\(Markup.grouped(encounter.readingCount))</td>\
            <td class="n" data-of="strongest, dBm">\(rssi.map { Markup.dBm($0.maximumDBm) } ?? "–")</td>\
            <td class="n" data-of="mean, dBm">\(rssi.map { Markup.dBm($0.meanDBm) } ?? "–")</td>\
            <td>\(Markup.escaped(remarks(on: encounter)))</td></tr>

            """
    }

    private func moment(_ point: TimelinePoint, of encounter: Encounter) -> String {
        Markup.moment(point, on: encounter.timeline, model.time)
    }

    private func remarks(on encounter: Encounter) -> String {
        var remarks: [String] = []
        if encounter.identity == nil { remarks.append("no identity") }
        if encounter.identityMarks.contains(.written) { remarks.append("identity written by the peer") }
        if encounter.isClaimed { remarks.append("claimed: the board measured nothing") }
        if encounter.identityMarks.contains(.timeUnchecked) { remarks.append("identity time unchecked") }
        if encounter.boots.count > 1 {
            remarks.append("across \(Markup.count(encounter.boots.count - 1, "restart"))")
        }
        if encounter.addresses.count > 1 { remarks.append("\(encounter.addresses.count) addresses") }
        if case .sinceStart(let boot) = encounter.timeline {
            remarks.append("no clock, boot \(HTMLReport.name(ofBoot: boot))")
        }
        if encounter.basis == .order { remarks.append("time from the order of the log only") }
        if encounter.isOnWallClock {
            let error = encounter.clockError
            if error ?? .forever >= .seconds(1) {
                remarks.append(error.map { "time within ±\(TimeText.error($0))" } ?? "time unchecked")
            }
        }
        if let first = encounter.notBefore {
            remarks.append("after \(model.time.dateAndTime(first))")
        }
        if let last = encounter.notAfter {
            remarks.append("before \(model.time.dateAndTime(last))")
        }
        if encounter.samples.isEmpty { remarks.append("no sample recorded") }
        return remarks.joined(separator: ", ")
    }
}
