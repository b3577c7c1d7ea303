import Archive

/// Everything a report shows, gathered beforehand: drawing it needs nothing else, so the same model gives the
/// same bytes.
public struct ReportModel: Sendable {
    public var title: String
    /// In order of time.
    public var encounters: [Encounter]
    public var boards: [BoardSummary]
    /// When the boards' agents started and listened.
    public var periods: [BoardPeriod]
    public var filterDescription: [String]
    public var archivePath: String
    public var toolVersion: String
    public var time: TimeText

    public init(
        title: String, encounters: [Encounter], boards: [BoardSummary], periods: [BoardPeriod],
        filterDescription: [String] = [], archivePath: String, toolVersion: String, time: TimeText
    ) {
        self.title = title
        self.encounters = encounters
        self.boards = boards
        self.periods = periods
        self.filterDescription = filterDescription
        self.archivePath = archivePath
        self.toolVersion = toolVersion
        self.time = time
    }

    /// What the archive holds, as far as the filter admits it.
    public init(
        archive: Archive, filter: EncounterFilter, filterDescription: [String] = [], title: String,
        toolVersion: String, time: TimeText
    ) throws(ArchiveError) {
        let boards = try archive.boards().filter(filter.admits(board:))
        var encounters: [Encounter] = []
        var periods: [BoardPeriod] = []
        for board in boards {
            let history = try archive.history(of: board.identity)
            encounters += EncounterAssembly.encounters(of: history).filter(filter.admits)
            periods += history.boots.map { BoardPeriod($0, board: board.identity) }
        }
        self.init(
            title: title, encounters: EncounterAssembly.inOrder(encounters), boards: boards, periods: periods,
            filterDescription: filterDescription, archivePath: archive.path, toolVersion: toolVersion,
            time: time)
    }

    func name(of board: LogIdentity) -> String {
        boards.first { $0.identity == board }?.label ?? board.short
    }
}

/// One start of a board's agent: when it began, and when it was able to hear.
public struct BoardPeriod: Sendable, Equatable {
    public let board: LogIdentity
    public let boot: UInt64
    /// The clock of all times here.
    public let timeline: Encounter.Timeline
    /// Nil when the entry that says so is lost.
    public let startMilliseconds: Int64?
    public let parameters: BootParameters?
    public let coverage: [Coverage]

    public init(_ boot: BootHistory, board: LogIdentity) {
        let clock = BootClock(boot.anchors)
        let start = boot.parameters?.startMilliseconds
        let offset = clock?.offsetMilliseconds ?? -(start ?? 0)
        self.board = board
        self.boot = boot.identifier
        timeline =
            clock.map { .wallClock(errorMilliseconds: $0.errorMilliseconds) }
            ?? .sinceStart(boot: boot.identifier)
        startMilliseconds = start.map { $0 + offset }
        parameters = boot.parameters
        coverage = boot.coverage.map { interval in
            var shifted = interval
            shifted.startMilliseconds += offset
            shifted.endMilliseconds += offset
            return shifted
        }
    }
}
