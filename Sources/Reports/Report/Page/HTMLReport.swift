import Archive
import FixedMemory
import Foundation

/// The report as one self-contained HTML page without network access or scripts; it supports light mode, dark
/// mode, print, phones and screen readers. However many encounters there are, it has at most 2 MB.
public struct HTMLReport {
    private let model: ReportModel
    private let scopes: [FigureScope]
    private let summary: ReportSummary

    /// The maximum number of signal-strength traces, which the longest encounters get; more would not be
    /// readable.
    static let maximumTraceCount = 48

    public init(_ model: ReportModel) {
        self.model = model
        scopes = model.hasTimeline ? FigureScope.scopes(of: model) : []
        summary = ReportSummary(model: model)
    }

    /// The maximum size of a page in bytes.
    public static let maximumByteCount = 2_000_000

    /// Equal models give equal bytes. A page that would be too large shows fewer single encounters.
    public func html() -> String {
        let page = page
        guard page.utf8.count > Self.maximumByteCount, let smaller = model.halved() else { return page }
        return HTMLReport(smaller).html()
    }

    private var page: String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <meta name="generator" content="tabardctl \(Markup.escaped(model.origin.toolVersion))">
        <title>\(Markup.escaped(model.title))</title>
        <style>\(ReportStyle.css)</style>
        </head>
        <body>
        \(CoverageState.patterns)<main>
        \(sections.joined())</main>
        \(ReportProvenance(model: model).html())</body>
        </html>

        """
    }

    private var sections: [String] {
        [
            header, DetailSection(model: model).html(), OccupancySection(model: model).html(), timelines,
            ContactSection(model: model).html(), CoverageSection(model: model).html(),
            ClockErrorSection(model: model).html(), traces, EncounterTable(model: model).html(),
            RefusalSection(model: model).html(), ReportStyle.limits,
        ]
    }

    private var header: String {
        let figures = summary.figures.map { figure in
            "<li><b>\(Markup.unbroken(Markup.escaped(figure.value)))</b> "
                + "<span>\(Markup.escaped(figure.label))</span></li>"
        }
        return """
            <header>
            <p class="mark">\(ReportStyle.mark)<span>Tabard</span></p>
            <h1>\(Markup.escaped(Markup.shortened(model.title, to: 300)))</h1>
            <p class="summary">\(Markup.unbroken(Markup.escaped(summary.sentence)))</p>
            <ul class="figures">\(figures.joined())</ul>
            </header>

            """
    }

    private var timelines: String {
        scopes.enumerated().map { index, scope in
            """
            <section>
            <h2>\(heading(of: scope))</h2>
            <p class="note">\(footnote(on: scope))</p>
            <div class="figure">
            \(TimelineFigure(model: model, scope: scope).html())\(CoverageState.key)</div>
            \(index == 0 ? download : "")</section>

            """
        }.joined()
    }

    private func heading(of scope: FigureScope) -> String {
        guard case .sinceStart(let board, let boot) = scope.kind else { return "Encounters over time" }
        return "Without a clock: \(Markup.escaped(model.name(of: board))), boot \(Self.name(ofBoot: boot))"
    }

    private func footnote(on scope: FigureScope) -> String {
        var text =
            scope.isOnWallClock
            ? clock(of: scope)
            : "The board had no clock: times count from the start of its agent. "
        text +=
            "A bar lasts from the first to the last reading; its ribbon is thick where the signal was "
            + "strong. "
        text +=
            model.hasSeveralBoards
            ? "There is a row for each identity and board. The strips on top show when each board listened. "
                + "Hatching in a row marks times when its board did not listen, or that are not fetched: "
            : "The strip on top shows when the board listened. Hatching marks times when it did not listen: "
        text += "an empty row means nothing there."
        if !scope.restarts.isEmpty { text += " A flag marks a restart of the board." }
        if scope.hiddenRowCount > 0 {
            text += " The \(Markup.count(scope.rows.count, "row")) with the longest time near are drawn; "
            text += "\(Markup.grouped(scope.hiddenRowCount)) more are in the table."
        }
        if totals > model.encounters.count {
            text +=
                " Of \(Markup.grouped(totals)) encounters, the \(model.encounters.count) longest are here."
        }
        return Markup.escaped(text)
    }

    private var totals: Int { model.totals.count }

    private func clock(of scope: FigureScope) -> String {
        guard let range = scope.wallClockRange else { return "" }
        let start = range.lowerBound
        let isOneDay = model.time.startOfDay(start) == model.time.startOfDay(range.upperBound)
        let day = isOneDay ? " on \(model.time.longDate(start))" : ""
        return "Times are \(model.time.zoneName)\(day). "
    }

    /// The figures' data as a CSV file, embedded in the page.
    private var download: String {
        let data = Data(EncounterCSV.text(model.encounters, among: model.ownBoards).utf8)
            .base64EncodedString()
        return """
            <p class="download"><a download="encounters.csv" href="data:text/csv;base64,\(data)">Save these numbers \
            as CSV<span class="unseen">: encounters</span></a></p>

            """
    }

    private var traces: String {
        let eligible = model.encounters.indices.filter { !model.encounters[$0].samples.isEmpty }
        let longest = eligible.sorted {
            model.encounters[$0].duration > model.encounters[$1].duration
        }
        let shown = longest.prefix(Self.maximumTraceCount).sorted()
        guard !shown.isEmpty else { return "" }
        let hidden = eligible.count - shown.count
        let count = max(eligible.count, model.isComplete ? 0 : totals)
        let rest =
            hidden == 0 && model.isComplete
            ? "" : " The \(shown.count) longest of \(Markup.grouped(count)) are drawn."
        return """
            <section>
            <h2>Signal strength\(model.isComplete ? " of each encounter" : "")</h2>
            <p class="note">Line: mean of each sample, in dBm; band: weakest to strongest reading. All traces have the \
            same scale. Strong is up.\(rest)</p>
            <div class="traces">
            \(shown.map { trace(model.encounters[$0], number: $0 + 1) }.joined())</div>
            </section>

            """
    }

    private func trace(_ encounter: Encounter, number: Int) -> String {
        let figure = TraceFigure(
            encounter: encounter, label: model.whoAndWhere(encounter.summary),
            clock: encounter.isOnWallClock ? model.time : nil,
            identifier: "trace-\(number)")
        return """
            <figure>
            <figcaption><b>\(Markup.escaped(figure.label))</b> \
            <span>\(Markup.escaped(start(of: encounter))), \(TimeText.duration(encounter.duration))</span>\
            </figcaption>
            \(figure.svg())</figure>

            """
    }

    private func start(of encounter: Encounter) -> String {
        encounter.wallClockStart.map { "\(model.time.shortDate($0)), \(model.time.time($0))" }
            ?? TimeText.relative(encounter.start)
    }

    /// The name of a boot: the first digits of its identifier.
    static func name(ofBoot boot: UInt64) -> String {
        String(TimeText.boot(boot).prefix(6))
    }
}
