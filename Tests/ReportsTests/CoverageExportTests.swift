import Archive
import ArchiveTestSupport
import EncounterLog
import Foundation
import Testing

@testable import Reports

@Suite struct CoverageExportTests {
    private let timelines = SampleWorld.model().coverage

    @Test func `every interval has a line with every column`() {
        let lines = CoverageCSV.text(timelines).components(separatedBy: "\r\n").dropLast()
        let intervalCount = timelines.reduce(0) { $0 + $1.covered.count + $1.blind.count }
        #expect(lines.count == 1 + intervalCount)
        #expect(lines.first == CoverageCSV.columns.joined(separator: ","))
        let widths = lines.map { $0.components(separatedBy: ",").count }
        #expect(Set(widths) == [CoverageCSV.columns.count])
    }

    @Test func `a radio fault is written as documented`() throws {
        let rows = timelines.flatMap(CoverageRow.rows)
        let fault = try #require(rows.first { $0.cause == "radioFault" })
        #expect(fault.board == "404142434445464748494a4b4c4d4e4f")
        #expect(fault.clock == "wall" && fault.boot == "1111222233334444" && fault.state == "blind")
        #expect(fault.start == "2026-11-21T09:36:00.000Z" && fault.end == "2026-11-21T09:42:00.000Z")
        #expect(fault.startMonotonicMilliseconds == 2_160_000)
        #expect(fault.durationSeconds == 360 && fault.clockErrorSeconds == 0.292)
        #expect(fault.startErrorSeconds == 0.256 && fault.endErrorSeconds == 0.292)
        #expect(fault.faults == ["commandTimeout"] && fault.rungs == ["restartScan", "reset"])
        #expect(fault.reports == nil && fault.quietSeconds == nil)
    }

    @Test func `intervals are in order of time`() {
        let starts = CoverageRow.rows(timelines[0]).compactMap(\.start)
        #expect(starts == starts.sorted() && starts.count > 4)
    }

    @Test func `unknown values are null`() throws {
        let data = try CoverageDocument.json(timelines.map { CoverageDocument($0, name: nil) })
        let documents = try PrintedList.rows(data, "coverage", schema: "tabard-coverage-1")
        #expect(documents.count == 2)
        #expect(
            documents.allSatisfy {
                Set($0.keys) == [
                    "board", "name", "clock", "start", "end", "notBefore", "notAfter", "totalSeconds",
                    "coveredSeconds",
                    "quietSeconds", "longestBlindSeconds", "faults", "rungs", "intervals",
                ]
            })
        let clockless = try #require(documents.last)
        #expect(clockless["clock"] as? String == "boot" && clockless["start"] is NSNull)
        let intervals = documents.compactMap { $0["intervals"] as? [[String: Any]] }.flatMap(\.self)
        #expect(intervals.allSatisfy { $0.count == CoverageCSV.columns.count })
        #expect(intervals.contains { $0["boot"] is NSNull && $0["cause"] as? String == "notRunning" })
    }

    @Test func `the summary covers the whole time`() throws {
        let document = CoverageDocument(timelines[0], name: "Foyer")
        #expect(document.totalSeconds == 7_200)
        #expect(document.coveredSeconds == (36 + 29 + 33 + 11) * 60)
        #expect(document.quietSeconds == 300)
        #expect(document.longestBlindSeconds == 360)
        #expect(document.faults == 1)
        #expect(document.rungs == ["restartScan": 1, "reset": 1])
    }
}

@Suite struct CoverageTextTests {
    @Test(arguments: [
        (1, "100 %"), (0.9999, "99.9 %"), (0.934, "93.4 %"), (0.5, "50 %"), (0.0004, "0 %"), (0, "0 %"),
    ])
    func `shares are rounded down`(share: Double, text: String) {
        #expect(CoverageText.percent(share) == text)
    }

    @Test func `short durations have a tenth of a second`() {
        #expect(CoverageText.duration(0) == "0.0 s")
        #expect(CoverageText.duration(7_090) == "7.0 s")
        #expect(CoverageText.duration(61_000) == "1 min 1 s")
    }
}
