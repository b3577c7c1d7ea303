import Archive
import ArchiveTestSupport
import FixedMemory
import Foundation
import Testing

@testable import Reports

#if canImport(FoundationXML)
    import FoundationXML
#endif

@Suite struct HTMLReportTests {
    private let html = HTMLReport(SampleWorld.model()).html()

    @Test func `the report starts with a sentence that summarises it`() {
        #expect(
            html.contains("On 21 November 2026 between 09:03 and 10:59 UTC, 6 identities were near Foyer."))
        #expect(html.contains("The longest encounter lasted 38\u{a0}min"))
        #expect(html.contains("1 more encounter was with an unidentified device."))
    }

    @Test(arguments: [
        "class=\"lane known\"", "class=\"trace\"", "class=\"restart\"", "class=\"lane watch\"",
        "class=\"heard\"",
        "class=\"quiet\"", "class=\"radio\"", "class=\"off\"", "class=\"untold\"", "class=\"blind\"",
        "When the board listened", "blind: the radio failed", "The board listened",
        "the controller did not answer a command (command 0x200c); scan restarted, controller reset",
        "the agent was not running, or lost its last 30\u{a0}s", "longest blind",
        "All encounters", "Limits of this report", "Source of this report", "prefers-color-scheme: dark",
        "@media print", "1 damaged page left out", "0123abcd: a digest of all boards",
        "tabardctl 0.1.0",
        "at most ±754 ms",
        "Foyer restarted, 2026-11-21 10:12:00", "no identity", "data:text/csv;base64,",
        "with silences of up to 30 s", "Without a clock: Foyer, boot 9999aa",
    ])
    func `the report contains each part`(part: String) {
        #expect(html.contains(part))
    }

    @Test func `the report needs no other file`() {
        #expect(!html.contains("http:") && !html.contains("https:") && !html.contains("<script"))
        #expect(!html.contains("src=") && !html.contains("@import") && !html.contains("<link"))
    }

    @Test func `the report never mentions distances in metres`() {
        let text = html.lowercased()
        #expect(!text.contains("metre") && !text.contains("meter") && !text.contains("distance of"))
    }

    @Test func `each drawing says what it shows`() throws {
        let lanes = html.matches(of: #/<li class="lane .*?<\/li>/#.dotMatchesNewlines()).map(\.output)
        let traces = html.matches(of: #/<svg class="trace".*?<\/svg>/#.dotMatchesNewlines()).map(\.output)
        #expect(lanes.count == 2 * 1 + 7 + 1 + 2 && traces.count == 10)
        for picture in lanes + traces {
            let root = try #require(try XMLDocument(xmlString: String(picture)).rootElement())
            let drawing = try #require(root.name == "svg" ? root : root.elements(forName: "svg").first)
            #expect(drawing.attribute(forName: "role")?.stringValue == "img")
            let label = drawing.attribute(forName: "aria-label")?.stringValue
            let title = drawing.elements(forName: "title").first?.stringValue
            #expect((label ?? title)?.isEmpty == false)
        }
    }

    @Test func `identifiers are unique`() {
        let identifiers = html.matches(of: #/ id="([^"]+)"/#).map { String($0.output.1) }
        #expect(Set(identifiers).count == identifiers.count)
    }

    @Test func `equal models give equal reports`() {
        #expect(HTMLReport(SampleWorld.model()).html() == html)
    }

    @Test func `text from outside cannot become markup`() {
        let hostile = HTMLReport(SampleWorld.model(title: "<script>alert('x')</script> \u{202e}\"&")).html()
        #expect(!hostile.contains("<script"))
        #expect(hostile.contains("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; \u{fffd}&quot;&amp;"))
    }

    @Test func `a report without encounters states its caveat`() {
        var model = SampleWorld.model()
        model.show([])
        #expect(HTMLReport(model).html().contains("No encounter near Foyer matches"))
        #expect(HTMLReport(model).html().contains("The board listened"))
        model.coverage = []
        #expect(HTMLReport(model).html().contains("no time in which a board listened"))
    }

    @Test func `options that leave nothing are named, and nothing is said of the archive`() {
        var model = SampleWorld.model()
        model.show([])
        model.origin.recordedEncounterCount = 99
        model.origin.filterDescription = ["since 2030-01-01", "at least 10min"]
        model.coverage = []
        let html = HTMLReport(model).html()
        #expect(
            html.contains(
                "None of 99 encounters is what these options ask for: since 2030-01-01, at least 10min. The "
                    + "archive has no time in which a board listened that matches them."))
        #expect(!html.contains("The archive has no encounter"))
    }

    @Test(arguments: [(1, "1 page is"), (37, "37 pages are")])
    func `the first sentence counts locked pages`(count: Int, text: String) {
        var model = SampleWorld.model()
        #expect(!HTMLReport(model).html().contains("locked and not included."))
        model.logs[SampleWorld.board]?.contents.lockedPageCount = count
        #expect(HTMLReport(model).html().contains("\(text) locked and not included.</p>"))
        model.show([])
        #expect(HTMLReport(model).html().contains("\(text) locked and not included.</p>"))
    }

    @Test func `a record with thousands of blind times stays a small page`() {
        var model = SampleWorld.model()
        let boot = BootHistory(
            identifier: 1,
            anchors: [
                Anchor(
                    instant: 0, wallClock: SampleWorld.morning,
                    error: 1, source: .host)
            ],
            coverage: (0..<40_000 as Range<UInt64>).map { index in
                Coverage(
                    start: .start + .seconds(30 * index), end: .start + .seconds(30 * index + 29),
                    reportCount: Int(index % 2))
            })
        let history = BoardHistory(board: SampleWorld.board, boots: [boot])
        model.coverage = CoverageAssembly.timelines(of: history)
        model.record = model.coverage
        let html = HTMLReport(model).html()
        #expect(html.contains("The 12 longest of 39\u{202f}999 blind times"))
        #expect(html.utf8.count < 500_000)
    }

    @Test func `a long record stays a small page`() {
        var model = SampleWorld.model()
        let template = model.encounters[0]
        model.show(
            (0..<2_000).map { index in
                var encounter = template
                encounter.summary.identity?.payload[7] = UInt8(index % 256)
                encounter.summary.identity?.payload[8] = UInt8(index / 256)
                encounter.summary.span.start = encounter.start + .minutes(UInt64(index))
                encounter.summary.span.end = encounter.end + .minutes(UInt64(index))
                return encounter
            })
        let html = HTMLReport(model).html()
        #expect(html.contains("All 2000 encounters as CSV: <code>tabardctl encounters --csv</code>"))
        #expect(!html.contains("class=\"lane known\""))
        #expect(html.utf8.count < 500_000)
    }
}
