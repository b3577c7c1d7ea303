import Archive
import ArchiveTestSupport
import FixedMemory
import LogContents
import Testing

@testable import Reports

/// A report of several boards shows what each of them heard, and where each of them was blind.
@Suite struct SeveralBoardsReportTests {
    private let model = TwoBoards.model()
    private var html: String { HTMLReport(model).html() }
    private var sentence: String {
        ReportSummary(model: model).sentence
    }

    private func figure(_ label: String) -> String? {
        ReportSummary(model: model).figures
            .first { $0.label == label }?.value
    }

    @Test func `an identity has a row for each board that it was near`() throws {
        let scope = try #require(FigureScope.scopes(of: model).first)
        let label = try #require(model.encounters.first?.label)
        #expect(scope.rows.filter { $0.name == label }.map(\.board) == [TwoBoards.foyer, TwoBoards.canteen])
    }

    @Test func `a row's label has the name of its board`() {
        #expect(html.matches(of: #/near Foyer<\/small>/#).count == 4)
        #expect(html.matches(of: #/near Canteen<\/small>/#).count == 1)
    }

    @Test func `the report of one board has no board in its rows`() {
        let html = HTMLReport(SampleWorld.model()).html()
        #expect(!html.contains("<small>near") && !html.contains("near Foyer</b>"))
    }

    @Test func `a row has its own board's blind times`() throws {
        let scope = try #require(FigureScope.scopes(of: model).first)
        #expect(scope.blind(TwoBoards.foyer).isEmpty)
        #expect(scope.blind(TwoBoards.canteen).map(\.length) == [.minutes(10), .minutes(14)])
        #expect(html.matches(of: #/<rect class="blind"/#).count == 2)
    }

    @Test func `a board without any coverage is blind all the time`() throws {
        var model = model
        model.record = []
        let scope = try #require(FigureScope.scopes(of: model).first)
        #expect(scope.blind(TwoBoards.foyer) == [scope.range])
    }

    @Test func `the time that is not fetched yet is drawn and listed`() {
        #expect(html.contains("<rect class=\"unrecorded\" fill=\"url(#coverage-blind)\""))
        #expect(html.contains("<title>not fetched yet, 2026-11-21 09:30:00 to 2026-11-21 10:00:00</title>"))
        #expect(html.contains("<td class=\"n\">30\u{a0}min</td><td>not fetched yet</td>"))
    }

    @Test func `percentages are of the time that was fetched, and the rest is named`() {
        #expect(sentence.contains("Each board listened at least 66.6 % of the time fetched"))
        #expect(sentence.contains("its longest blind time was 10 min. The last 30 min of Canteen are not"))
        #expect(figure("covered, of 30 min fetched") == "66.6 %")
        #expect(figure("not fetched yet") == "30 min")
        #expect(html.contains("Canteen listened 66.6\u{a0}% of 30\u{a0}min; the next 30\u{a0}min"))
        #expect(html.contains("<small>66.6 % covered</small>"))
    }

    @Test func `some seconds between two fetches are no matter for the sentence`() {
        var model = model
        model.coverage = CoverageAssembly.timelines(of: SampleWorld.history())
        let summary = ReportSummary(model: model)
        #expect(!summary.sentence.contains("fetched"))
    }

    @Test func `a trace names its board`() {
        let label = model.encounters.first?.label ?? ""
        for board in ["Foyer", "Canteen"] {
            #expect(html.contains("<figcaption><b>\(label) near \(board)</b>"))
            #expect(html.contains("Signal strength of \(label) near \(board) over"))
        }
    }

    @Test func `boards of the archive are counted apart and named`() {
        #expect(
            sentence.contains(
                "1 identity and 2 boards of this archive (Canteen, Badge) were near Foyer and Canteen."))
        #expect(figure("identity") == "1")
        #expect(figure("boards of this archive") == "2")
        #expect(
            html.contains(">Badge (")
                && html.contains("Canteen <small>826/4/123456 Adams Pizza, near Foyer</small>"))
    }

    @Test func `the time near of a phone that two boards heard counts once`() {
        // The phone 09:02 to 09:14, the venue twice four minutes, the badge's two identities four and three.
        #expect(figure("total time near") == "27 min")
    }

    @Test func `a venue that changed its name has one row, under its newest name`() throws {
        let scope = try #require(FigureScope.scopes(of: model).first)
        let venues = scope.rows.filter { $0.name == "Canteen" }
        #expect(venues.map(\.identifier) == ["826/4/123456 Adams Pizza"])
        #expect(venues.map(\.encounters.count) == [2])
    }

    @Test func `another venue is another peer, and other identities are none`() {
        #expect(Peer(TwoBoards.venue("One")) == Peer(TwoBoards.venue("Two")))
        var payload = TwoBoards.venue("One").payload
        payload[5] ^= 1
        let other = Identity(scheme: TwoBoards.venue("One").scheme, payload: payload)
        #expect(Peer(other) != Peer(TwoBoards.venue("One")))
        #expect(Peer(SampleWorld.phone(1)) == .identity(SampleWorld.phone(1)))
    }
}
