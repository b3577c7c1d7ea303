import Archive
import ArchiveTestSupport
import FixedMemory
import Reports

extension SampleWorld {
    static func model(title: String = "Foyer, Saturday") -> ReportModel {
        let history = history()
        let summary = BoardSummary(
            identity: board, name: "Foyer", blockByteCount: 4096, segmentCount: 3, byteCount: 98_304,
            pageCount: 24,
            entryCount: 1_432, damagedPageCount: 1, lastSync: morning + 150 * minute)
        return ReportModel(
            title: title, encounters: EncounterAssembly.encounters(of: history), boards: [summary],
            periods: BoardPeriod.all(of: history),
            coverage: CoverageAssembly.timelines(of: history),
            record: CoverageAssembly.timelines(of: history),
            origin: ReportOrigin(evidence: "0123abcd", toolVersion: "0.1.0"), time: TimeText(timeZone: .gmt))
    }
}
