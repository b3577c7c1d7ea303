import Testing

@testable import Dashboard

@Suite struct DashboardPageTests {
    private let place = DashboardPage.Place("/here", "Here <b>")

    @Test func textOfOthersIsEscaped() {
        var page = DashboardPage(place)
        page.subtitle = "<i>"
        page.problem = "<u> `a <s> b`"
        page.notes = ["<q>"]
        page.source = ["<w>"]
        let html = page.html(among: [place, .init("/there", "There")])
        for mark in ["<b>", "<i>", "<u>", "<s>", "<q>", "<w>"] { #expect(!html.contains(mark)) }
        #expect(html.contains("<code>a &lt;s&gt; b</code>"))
        #expect(html.contains("<a href=\"/here\" aria-current=\"page\">"))
        #expect(!html.contains("<script"))
        let form = DashboardForm("/here", [.text("a", "A", suggestions: ["\"><b>"])], .empty).html()
        #expect(!form.contains("<b>"))
        let table = PageTable("<b>", [.init(title: "<b>", isNumber: false)], [["<b>"]]).html()
        #expect(!table.contains("<b>"))
    }

    @Test func aListIsCutIntoParts() throws {
        var cut = try #require(PageCut(try FieldList("page=2")))
        let uses = (0..<250).map { _ in cut.next() }
        #expect(uses.prefix(100).allSatisfy { $0 == .skip })
        #expect(uses[100..<200].allSatisfy { $0 == .take })
        #expect(uses[200] == .stop)
        #expect(cut.hasMore)
        #expect(cut.text(shown: 100) == "rows 101 to 200, and there are more")
        let links = cut.links("/here", try FieldList("page=2&a=%3C"))
        #expect(links.contains("href=\"/here?a=%3C&amp;page=1\"") && links.contains("page=3"))
        for text in ["0", "-1", "x", "999999999999999999999"] {
            #expect(PageCut(try FieldList("page=\(text)")) == nil)
        }
    }
}
