import Archive
import CommandLineText
import Reports

/// The one board or person that a report is about.
struct ReportSubject {
    let detail: ReportDetail
    /// Admits only what concerns the subject.
    let filter: EncounterFilter
    /// The options of `tabardctl encounters` that name it.
    let arguments: [String]

    init(
        _ name: String, in archive: Archive, _ filter: EncounterFilter, _ distances: ContactDistances
    ) throws(Failure) {
        let boards = try BoardChoice.boards(named: [], of: archive)
        let search = MeetingSearch(
            archive: archive, boards: boards, times: MomentRange(filter.since, filter.until),
            minimumDuration: filter.minimumDuration, excludesWritten: filter.excludesWritten,
            distances: distances)
        let found = try search.meetings(of: name, withStrangers: false)
        detail = ReportDetail(
            subject: found.subject, meetings: found.meetings, strangerCount: found.strangerCount,
            unheard: found.unheard, distances: distances)
        self.filter = found.selection.narrowing(filter)
        arguments = [found.selection.option, name]
    }
}
