import Archive
import FixedMemory

/// A part of the report on its own, for pages that are not reports.
public enum OccupancyPart {
    /// How many were near, as markup; empty if nothing of the time is known.
    public static func html(
        _ archive: Archive, _ boards: [ArchivedBoard], since: WallClockTime?, until: WallClockTime?,
        time: TimeText
    ) throws(ArchiveError) -> String {
        var assemblies: [CoverageAssembly] = []
        for board in boards {
            assemblies.append(
                CoverageAssembly(try archive.history(of: board.identity, withTracks: false)))
        }
        var model = ReportModel(
            title: "", encounters: [], boards: boards, periods: [],
            coverage: CoverageAssembly.timelines(of: assemblies, since: since, until: until), record: [],
            origin: ReportOrigin(evidence: "", toolVersion: ""), time: time)
        var filter = EncounterFilter()
        (filter.since, filter.until) = (since, until)
        model.occupancy = try model.occupancy(archive, filter)
        let section = OccupancySection(model: model).html()
        return section.isEmpty ? "" : CoverageState.patterns + section
    }
}
