import Archive
import FixedMemory

/// The sections of a report about one board or person: its meetings, and when its board did not listen.
struct DetailSection {
    let model: ReportModel

    private static let maximumUnheardCount = 100

    func html() -> String {
        guard let detail = model.detail else { return "" }
        return meetings(detail) + unheard(detail)
    }

    private func meetings(_ detail: ReportDetail) -> String {
        let subject = Markup.escaped(Markup.shortened(detail.subject, to: 80))
        let shown = detail.meetings.prefix(detail.shownCount)
        guard !shown.isEmpty else {
            return """
                <section>
                <h2>Who met \(subject)</h2>
                <p class="note">Nobody, as far as this archive knows.\(strangers(detail))</p>
                </section>

                """
        }
        return """
            <section>
            <h2>Who met \(subject)</h2>
            <p class="note">\(note(detail, shown.count))</p>
            <div class="figure scroll" role="region" aria-label="Meetings" tabindex="0">
            <table class="rows">
            <thead><tr><th scope="col">Who</th><th scope="col">Start</th><th scope="col">End</th>\
            <th scope="col" class="n">Duration</th><th scope="col">Heard by</th>\
            <th scope="col" class="n">Strongest<br><small>dBm</small></th>\
            <th scope="col">Distance</th><th scope="col">Identity</th></tr></thead>
            <tbody>
            \(shown.map(row).joined())</tbody>
            </table>
            </div>
            \(Markup.download(csv(shown), as: "meetings"))</section>

            """
    }

    private func note(_ detail: ReportDetail, _ count: Int) -> String {
        let total = detail.meetings.count
        let part = count < total ? "The first \(count) of " : ""
        return "\(part)\(Markup.count(total, "meeting")), in order of time." + strangers(detail)
            + (detail.distances.footnote.map { " \(Markup.escaped(Self.sentence($0)))" } ?? "")
    }

    private static func sentence(_ text: String) -> String {
        text.prefix(1).uppercased() + text.dropFirst() + "."
    }

    private func strangers(_ detail: ReportDetail) -> String {
        guard detail.strangerCount > 0 else { return "" }
        return
            " The board had \(Markup.count(detail.strangerCount, "encounter")) with identities of no board, too."
    }

    private func row(_ meeting: Meeting) -> String {
        """
        <tr><th scope="row">\(Markup.escaped(Markup.shortened(meeting.who, to: 80)))</th>\
        <td>\(Markup.moment(meeting.start, on: meeting.timeline, model.time))</td>\
        <td>\(Markup.moment(meeting.end, on: meeting.timeline, model.time))</td>\
        <td class="n">\(TimeText.duration(meeting.duration))</td>\
        <td data-of="heard by">\(Markup.escaped(meeting.heardBy.map { Markup.shortened($0, to: 40) }.joined(separator: ", ")))</td>\
        <td class="n" data-of="strongest, dBm">\(meeting.maximumDBm.map { Markup.dBm($0) } ?? "–")</td>\
        <td data-of="distance">\(Markup.escaped(meeting.distance.shortText))</td>\
        <td data-of="identity">\(meeting.certainty.text)</td></tr>

        """
    }

    private func csv(_ meetings: some Sequence<Meeting>) -> [[String]] {
        [
            ["who", "start", "end", "duration_seconds", "heard_by", "rssi_maximum_dbm", "certainty"]
                + DistanceDocument.columns
        ]
            + meetings.map { meeting in
                [
                    meeting.who, meeting.timeline.wallClock(meeting.start).map(TimeText.utc) ?? "",
                    meeting.timeline.wallClock(meeting.end).map(TimeText.utc) ?? "",
                    "\(meeting.duration.fractionalSeconds)", meeting.heardBy.joined(separator: "; "),
                    meeting.maximumDBm.map { "\($0)" } ?? "", meeting.certainty.name,
                ] + DistanceDocument(meeting.distance).fields
            }
    }

    // MARK: Not listening

    private func unheard(_ detail: ReportDetail) -> String {
        guard !detail.unheard.isEmpty else { return "" }
        let longest = detail.unheard.indices
            .sorted { detail.unheard[$0].duration > detail.unheard[$1].duration }
            .prefix(Self.maximumUnheardCount).sorted().map { detail.unheard[$0] }
        let part = longest.count < detail.unheard.count ? "The \(longest.count) longest of " : ""
        return """
            <section>
            <h2>When \(Markup.escaped(Markup.shortened(detail.subject, to: 80))) did not listen</h2>
            <p class="note">\(part)\(Markup.count(detail.unheard.count, "time")). Another board that listened meanwhile may \
            have heard this one. If nobody listened, nobody can know.</p>
            <div class="figure scroll" role="region" aria-label="Times without listening" tabindex="0">
            <table class="rows">
            <thead><tr><th scope="col">From</th><th scope="col">To</th><th scope="col" class="n">Duration</th>\
            <th scope="col">Cause</th><th scope="col">Who listened</th></tr></thead>
            <tbody>
            \(longest.map(row).joined())</tbody>
            </table>
            </div>
            </section>

            """
    }

    private func row(_ time: UnheardTime) -> String {
        let listeners = time.listeners.prefix(5).map { model.name(of: $0) }
        let more = time.listeners.count - listeners.count
        let text = listeners.isEmpty ? "nobody" : listeners.joined(separator: ", ")
        let timeline = Encounter.Timeline.wallClock(error: nil)
        return """
            <tr><td>\(Markup.moment(time.start, on: timeline, model.time))</td>\
            <td>\(Markup.moment(time.end, on: timeline, model.time))</td>\
            <td class="n">\(CoverageText.duration(time.duration))</td><td>\(Markup.escaped(time.cause.text))</td>\
            <td data-of="who listened">\(Markup.escaped(text))\(more > 0 ? " and \(more) more" : "")</td></tr>

            """
    }
}

extension ContactCertainty {
    /// Why the identity of the other is certain, or not.
    fileprivate var text: String {
        switch self {
        case .served: "certain"
        case .undated: "clock unknown"
        case .ambiguous: "several boards showed it"
        case .written: "only written by the peer"
        }
    }
}
