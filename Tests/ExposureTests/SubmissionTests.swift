import Authority
import Exposure
import FixedMemory
import Schemes
import Testing
import TextFormats

/// Data is only handed to authorities with consent.
@Suite struct SubmissionTests {
    private struct Unasked: Error {}

    private let submission: Submission

    init() throws {
        let root = CovidTracerRootKey(Bytes<32>())
        let report = try CovidTracerReport(
            root: root, symptomOnset: CalendarDate(daysSince1970: 20_777), isTested: true)
        submission = .covidTracer(report, host: "authority.invalid")
    }

    @Test func `A submission only contains what the wearer was shown and agreed to`() throws {
        var shown: [String] = []
        let refused = submission.bytes { text in
            shown = text.contents
            return false
        }
        #expect(refused == nil)
        #expect(shown.first == "the keys of 16 days, 2026-11-15 to 2026-11-30 (UTC)")
        #expect(throws: Unasked.self) {
            try submission.bytes { _ throws(Unasked) in throw Unasked() }
        }
        let bytes = try #require(submission.bytes { _ in true })
        let request = try #require(HTTPRequest(parsing: bytes))
        #expect(CovidTracerReport.fields(of: request)?.count == 34)
    }

    @Test func `The text names the content, and what it reveals about the wearer and about others`() {
        #expect(
            submission.text.text == """
                For CovidTracer's authority:
                  contains     the keys of 16 days, 2026-11-15 to 2026-11-30 (UTC)
                               a test confirmed the illness
                               no comment
                  about you    that you fell ill; anyone who recorded your identifiers of those days can recognise them
                  about others nothing
                  as           POST /notify at authority.invalid
                """)
    }
}
