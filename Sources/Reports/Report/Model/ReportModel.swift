import Archive
import FixedMemory
import LogContents

/// All data of a report. Drawing needs nothing else, so equal models give equal bytes. Its size is bounded:
/// of many encounters it has sums, and only the longest ones.
public struct ReportModel: Sendable {
    public var title: String
    public var boards: [ArchivedBoard]
    /// The boots of the boards' agents.
    public var periods: [BoardPeriod]
    /// The boards' coverage: in the requested time, and over the whole record.
    public var coverage: [CoverageTimeline]
    public var record: [CoverageTimeline]
    /// The logs of the boards.
    public var logs: [LogIdentity: ReportedLog]
    /// The identities that boards refused.
    public var refusals: [RefusalSummary]
    let ownBoards: OwnBoards
    public private(set) var totals = EncounterTotals()
    /// The encounters that are shown one by one, with their samples, in order of time.
    public private(set) var encounters: [Encounter] = []
    /// The contacts between boards; nil if the options are of single identities, which contacts have not.
    public var pairs: PairTotals?
    /// How many were near; nil likewise.
    public var occupancy: Occupancy?
    public var origin: ReportOrigin
    public var time: TimeText
    public var options: ReportOptions
    /// Nil for a report about everybody.
    public var detail: ReportDetail?

    public init(
        title: String, encounters: [Encounter], boards: [ArchivedBoard], periods: [BoardPeriod],
        coverage: [CoverageTimeline], record: [CoverageTimeline],
        logs: [LogIdentity: ReportedLog] = [:], refusals: [RefusalSummary] = [],
        servedIdentities: [ServedIdentities] = [], labels: Labels = Labels(),
        origin: ReportOrigin, time: TimeText, options: ReportOptions = ReportOptions()
    ) {
        self.title = title
        ownBoards = OwnBoards(servedIdentities, people: labels, names: BoardNames(boards))
        self.boards = boards
        self.periods = periods
        self.coverage = coverage
        self.record = record
        self.logs = logs
        self.refusals = refusals
        self.origin = origin
        self.time = time
        self.options = options
        show(encounters)
    }

    /// The encounters that the report is about, in order of time.
    public mutating func show(_ all: [Encounter]) {
        totals = EncounterTotals(all.map(\.summary), ownBoards)
        let shown = totals.longest.inOrderOfTime(shownCount)
        encounters = all.filter { shown.contains($0.summary) }
    }

    public var encounterCount: Int { totals.count }

    /// Whether every encounter is shown.
    var isComplete: Bool { options.showsSinglePeople && totals.count == encounters.count }

    /// Whether the encounters are few enough, or of one subject, so that they are drawn over time.
    var hasTimeline: Bool {
        options.showsSinglePeople && (totals.count <= EncounterTotals.detailLimit || detail != nil)
    }

    /// How many encounters are shown one by one.
    private var shownCount: Int {
        guard options.showsSinglePeople else { return 0 }
        return hasTimeline ? EncounterTotals.detailLimit : Self.shownOfManyCount
    }

    /// How many of many encounters a report about everybody shows.
    static let shownOfManyCount = 12

    /// The same with half of the encounters and meetings that are shown one by one; nil if hardly any are.
    func halved() -> ReportModel? {
        guard encounters.count > 4 || detail.map({ min($0.meetings.count, $0.shownCount) > 4 }) == true else {
            return nil
        }
        var model = self
        let longest = encounters.indices.sorted { encounters[$0].duration > encounters[$1].duration }
        model.encounters = longest.prefix(encounters.count / 2).sorted().map { encounters[$0] }
        model.detail?.shownCount /= 2
        return model
    }

    var hasSeveralBoards: Bool { boards.count > 1 }

    var names: BoardNames { ownBoards.names }

    /// The peer's name, and its label in brackets; of a stranger the label alone.
    func who(_ encounter: EncounterSummary) -> String {
        guard let name = ownBoards.name(of: encounter) else {
            return Markup.shortened(encounter.label, to: 80)
        }
        return Markup.shortened(name, to: 60) + " (\(Markup.shortened(encounter.label, to: 40)))"
    }

    /// The peer's label, and of several boards the one that it was near.
    func whoAndWhere(_ encounter: EncounterSummary) -> String {
        who(encounter) + (hasSeveralBoards ? " near \(name(of: encounter.board))" : "")
    }

    func name(of board: LogIdentity) -> String {
        Markup.shortened(names[board], to: 60)
    }
}

extension ReportModel {
    /// Reads the archive's data, as far as the filter admits it. Encounters, contacts and presence are taken
    /// one after the other.
    public init(
        archive: Archive, filter: EncounterFilter, origin: ReportOrigin, title: String, time: TimeText,
        options: ReportOptions = ReportOptions(), detail: ReportDetail? = nil
    ) throws(ArchiveError) {
        let all = try archive.boards()
        let boards = all.filter(filter.admits(board:))
        let labels = try archive.labels()
        let named = OwnBoards(try archive.servedIdentities(), people: labels, names: BoardNames(all))
        var totals = EncounterTotals()
        try archive.forEachEncounter(matching: filter) {
            totals.add($0, named)
            return true
        }
        // The same archive gives the same page on every day of the year.
        let first = totals.range.map { WallClockTime(clamping: $0.lowerBound.milliseconds) }
        let time = time.referring(
            to: first ?? boards.compactMap(\.lastSync).first ?? WallClockTime(milliseconds: 0))
        var assemblies: [CoverageAssembly] = []
        (periods, logs, refusals) = ([], [:], [])
        for board in boards {
            let history = try archive.history(of: board.identity, withTracks: false)
            periods += BoardPeriod.all(of: history)
            assemblies.append(CoverageAssembly(history))
            logs[board.identity] = ReportedLog(
                contents: try archive.contents(of: board.identity),
                losses: LossText.lines(history, time: time))
            refusals += RefusalSummary.all(of: history, matching: filter)
        }
        refusals = RefusalSummary.inOrder(refusals)
        coverage = CoverageAssembly.timelines(of: assemblies, since: filter.since, until: filter.until)
        record = CoverageAssembly.timelines(of: assemblies)
        self.title = title
        self.boards = boards
        ownBoards = named
        self.totals = totals
        self.origin = origin
        self.time = time
        self.options = options
        self.detail = detail
        if totals.count == 0 { self.origin.recordedEncounterCount = try archive.encounterCount() }
        encounters = try archive.encounters(totals.longest.inOrderOfTime(shownCount))
        if filter.isOfAllPeers {
            pairs = try Self.pairs(archive, filter)
            occupancy = try occupancy(archive, filter)
        }
    }

    private static func pairs(
        _ archive: Archive, _ filter: EncounterFilter
    ) throws(ArchiveError) -> PairTotals {
        var contacts = ContactFilter()
        (contacts.since, contacts.until) = (filter.since, filter.until)
        contacts.boards = filter.boards
        contacts.minimumDuration = filter.minimumDuration
        contacts.excludesWritten = true
        var pairs = PairTotals(since: filter.since, until: filter.until)
        try archive.forEachContact(matching: contacts) {
            pairs.add($0)
            return true
        }
        return pairs
    }

    func occupancy(
        _ archive: Archive, _ filter: EncounterFilter
    ) throws(ArchiveError) -> Occupancy? {
        guard let range = datedRange else { return nil }
        var occupancy = Occupancy(bins: TimeBins(covering: range, zone: time))
        try archive.forEachPresenceSlot(
            ofBoards: Set(boards.map(\.identity)), since: filter.since, until: filter.until
        ) {
            occupancy.add($0)
            return true
        }
        return occupancy
    }

    /// The time on the wall clock in which the boards recorded something, as far as it was requested.
    var datedRange: ClosedRange<TimelinePoint>? {
        let ranges = coverage.filter(\.isOnWallClock).map(\.range)
        let known = ranges.isEmpty ? [totals.range].compactMap(\.self) : ranges
        guard let start = known.map(\.lowerBound).min(), let end = known.map(\.upperBound).max() else {
            return nil
        }
        return start...end
    }
}

extension EncounterFilter {
    /// Whether it leaves out nobody for the identity, the scheme or the length of the encounter, which
    /// presence does not know.
    fileprivate var isOfAllPeers: Bool {
        scheme == nil && kind == nil && identityText == nil && identities == nil
    }
}
