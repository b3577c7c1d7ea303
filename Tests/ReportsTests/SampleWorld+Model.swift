import Archive
import ArchiveTestSupport
import FixedMemory
import Reports

extension SampleWorld {
    static func model(title: String = "Foyer, Saturday") -> ReportModel {
        let history = history()
        let foyer = ArchivedBoard(
            identity: board, name: "Foyer", blockByteCount: 4096, lastSync: morning + 150 * minute)
        var contents = BoardContents()
        contents.segmentCount = 3
        contents.byteCount = 98_304
        contents.pageCount = 24
        contents.entryCount = 1_432
        contents.damagedPageCount = 1
        return ReportModel(
            title: title, encounters: EncounterAssembly.encounters(of: history), boards: [foyer],
            periods: BoardPeriod.all(of: history),
            coverage: CoverageAssembly.timelines(of: history),
            record: CoverageAssembly.timelines(of: history),
            logs: [board: ReportedLog(contents: contents)],
            origin: ReportOrigin(evidence: "0123abcd", toolVersion: "0.1.0"), time: TimeText(timeZone: .gmt))
    }
}
