import Archive
import ArchiveTestSupport
import EncounterLog
import FixedMemory
import Foundation
import TestSupport
import Testing

@testable import Reports

@Suite struct LossTextTests {
    private func gap(
        _ cause: GapCause = .room, isAcknowledged: Bool = false, missing: Int = 3, knowledge: UInt8 = 1
    ) -> LogGap {
        var entry = GapEntry(cause: cause, isAcknowledged: isAcknowledged, segmentOrdinal: 7, byteCount: 9)
        entry.segmentCount = 3
        entry.knowledge = knowledge
        entry.entryCount = 12_000
        entry.first = SegmentSummary.Moment(bootIdentifier: 0x1111_2222_3333_4444, instant: 0)
        entry.last = SegmentSummary.Moment(
            bootIdentifier: 0x1111_2222_3333_4444, instant: .start + 30 * SampleWorld.minute)
        return LogGap(entry, missingSegmentCount: missing)
    }

    private func lines(_ gaps: [LogGap]) -> [String] {
        var history = SampleWorld.history()
        history.gaps = gaps
        return LossText.lines(history, time: TimeText(timeZone: .gmt))
    }

    @Test func `the text has the loss and its times`() {
        #expect(
            lines([gap()]) == [
                "3 segments with 12\u{202f}000 entries between 2026-11-21 09:00:00 and 2026-11-21 09:30:00, "
                    + "overwritten to make room, never fetched, so they are lost"
            ])
    }

    @Test func `the text names what is unknown`() {
        #expect(
            lines([gap(.retention, knowledge: 0)]) == [
                "3 segments, erased after their retention time, never fetched, so they are lost"
            ])
        #expect(lines([gap(knowledge: 3)])[0].contains("with at least 12\u{202f}000 entries"))
    }

    @Test func `segments that another host fetched are not lost`() {
        #expect(
            lines([gap(.command, isAcknowledged: true, missing: 1)])[0].hasSuffix(
                "erased by a command, fetched into another archive"))
        #expect(lines([gap(missing: 1)])[0].hasPrefix("1 segment of 3 with"))
    }

    @Test func `segments in the archive are not lost`() {
        #expect(lines([gap(missing: 0)]).isEmpty)
    }

    @Test func `the report lists the losses`() {
        var model = SampleWorld.model()
        #expect(!HTMLReport(model).html().contains("Erased by the board"))
        model.logs = [SampleWorld.board: ReportedLog(losses: ["3 segments <gone>"])]
        let html = HTMLReport(model).html()
        #expect(html.contains("Erased by the board"))
        #expect(html.contains("<li>3 segments &lt;gone&gt;</li>"))
    }
}
