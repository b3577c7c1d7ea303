import Archive
import Foundation
import Testing

@testable import Reports

#if canImport(FoundationXML)
    import FoundationXML
#endif

@Suite struct HTMLReportTests {
    private let html = HTMLReport(SampleWorld.model()).html()

    @Test func startsWithASentenceThatSaysItAll() {
        #expect(
            html.contains("On 21 November 2026 between 09:03 and 10:59 UTC, 6 identities were near Foyer."))
        #expect(html.contains("The longest encounter lasted 38\u{a0}min"))
        #expect(html.contains("1 more encounter was with a device that never said who it is."))
    }

    @Test(arguments: [
        "class=\"timeline\"", "class=\"trace\"", "class=\"restarts\"", "class=\"listening\"",
        "class=\"deaf\"",
        "All encounters", "What this cannot tell you", "Where this comes from", "prefers-color-scheme: dark",
        "@media print", "1 damaged page left out", "/home/warden/archive.sqlite", "tabardctl 0.1.0",
        "at most ±40 ms",
        "Foyer restarted, 2026-11-21 10:12:00", "never said who it is", "data:text/csv;base64,",
        "joined over silences of up to 30 s", "Without a clock: Foyer, start 9999aa",
    ])
    func has(part: String) {
        #expect(html.contains(part))
    }

    @Test func needsNothingButItself() {
        #expect(!html.contains("http:") && !html.contains("https:") && !html.contains("<script"))
        #expect(!html.contains("src=") && !html.contains("@import") && !html.contains("<link"))
    }

    @Test func neverSpeaksOfMetres() {
        let text = html.lowercased()
        #expect(!text.contains("metre") && !text.contains("meter") && !text.contains("distance of"))
    }

    @Test func picturesAreWellFormedAndNamed() throws {
        let pictures = html.matches(of: #/<svg class="(?:timeline|trace)".*?</svg>/#.dotMatchesNewlines())
        #expect(pictures.count == 2 + 10)
        for picture in pictures {
            let document = try XMLDocument(xmlString: String(picture.output))
            let root = try #require(document.rootElement())
            let title = try #require(root.elements(forName: "title").first)
            #expect(
                root.attribute(forName: "aria-labelledby")?.stringValue
                    == title.attribute(forName: "id")?.stringValue)
            #expect(title.stringValue?.isEmpty == false)
        }
    }

    @Test func identifiersAreUnique() {
        let identifiers = html.matches(of: #/ id="([^"]+)"/#).map { String($0.output.1) }
        #expect(Set(identifiers).count == identifiers.count)
    }

    @Test func isTheSameForTheSameModel() {
        #expect(HTMLReport(SampleWorld.model()).html() == html)
    }

    @Test func textFromOutsideCannotBecomeMarkup() {
        let hostile = HTMLReport(SampleWorld.model(title: "<script>alert('x')</script> \u{202e}\"&")).html()
        #expect(!hostile.contains("<script"))
        #expect(hostile.contains("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; \u{fffd}&quot;&amp;"))
    }

    @Test func nobodyNearIsSaidWithItsCaveat() {
        var model = SampleWorld.model()
        model.encounters = []
        #expect(HTMLReport(model).html().contains("No encounter was recorded near Foyer"))
        model.periods = []
        #expect(HTMLReport(model).html().contains("neither is any time during which a board listened"))
    }

    @Test func aLongRecordStaysAPageThatOpens() {
        var model = SampleWorld.model()
        let template = model.encounters[0]
        model.encounters = (0..<2_000).map { index in
            var encounter = template
            encounter.identity?.payload[7] = UInt8(index % 256)
            encounter.identity?.payload[8] = UInt8(index / 256)
            encounter.startMilliseconds += Int64(index) * 60_000
            encounter.endMilliseconds += Int64(index) * 60_000
            return encounter
        }
        let html = HTMLReport(model).html()
        #expect(html.contains("1940 more are in the table"))
        #expect(html.utf8.count < 4_000_000)
    }
}
