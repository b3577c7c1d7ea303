import Archive
import FixedMemory
import LogContents

/// All data of a report. Drawing needs nothing else, so equal models give equal bytes.
public struct ReportModel: Sendable {
    public var title: String
    /// In order of time.
    public var encounters: [Encounter]
    /// The number of encounters in the archive; differs from those here if the filter left some out.
    public var recordedEncounterCount: Int
    public var boards: [BoardSummary]
    /// The boots of the boards' agents.
    public var periods: [BoardPeriod]
    /// The boards' coverage: in the requested time, and over the whole record.
    public var coverage: [CoverageTimeline]
    public var record: [CoverageTimeline]
    /// Erased ranges that the archive lacks, as lines of text.
    public var losses: [LogIdentity: [String]]
    /// The identities that boards refused.
    public var refusals: [RefusalSummary]
    let ownBoards: OwnBoards
    public var filterDescription: [String]
    public var archivePath: String
    public var toolVersion: String
    public var time: TimeText

    public init(
        title: String, encounters: [Encounter], boards: [BoardSummary], periods: [BoardPeriod],
        coverage: [CoverageTimeline], record: [CoverageTimeline],
        losses: [LogIdentity: [String]] = [:], refusals: [RefusalSummary] = [],
        servedIdentities: [ServedIdentities] = [], people: Labels = Labels(),
        recordedEncounterCount: Int? = nil,
        filterDescription: [String] = [],
        archivePath: String, toolVersion: String, time: TimeText
    ) {
        self.title = title
        self.encounters = encounters
        self.recordedEncounterCount = recordedEncounterCount ?? encounters.count
        ownBoards = OwnBoards(servedIdentities, people: people)
        self.boards = boards
        self.periods = periods
        self.coverage = coverage
        self.record = record
        self.losses = losses
        self.refusals = refusals
        self.filterDescription = filterDescription
        self.archivePath = archivePath
        self.toolVersion = toolVersion
        self.time = time
    }

    /// Reads the archive's data, as far as the filter admits it.
    public init(
        archive: Archive, filter: EncounterFilter, filterDescription: [String] = [], title: String,
        toolVersion: String, time: TimeText
    ) throws(ArchiveError) {
        let boards = try archive.boards().filter(filter.admits(board:))
        var time = time
        var encounters: [Encounter] = []
        var periods: [BoardPeriod] = []
        var assemblies: [CoverageAssembly] = []
        var losses: [LogIdentity: [String]] = [:]
        var isReferred = false
        var refusals: [RefusalSummary] = []
        for board in boards {
            let history = try archive.history(of: board.identity)
            encounters += EncounterAssembly.encounters(of: history).filter(filter.admits)
            periods += BoardPeriod.all(of: history)
            assemblies.append(CoverageAssembly(history))
            // The same archive gives the same page on every day of the year.
            if !isReferred, let first = encounters.lazy.compactMap(\.wallClockStart).first {
                time = time.referring(to: first)
                isReferred = true
            }
            losses[board.identity] = LossText.lines(history, time: time)
            refusals += RefusalSummary.all(of: history, matching: filter)
        }
        self.init(
            title: title, encounters: EncounterAssembly.inOrder(encounters), boards: boards, periods: periods,
            coverage: CoverageAssembly.timelines(of: assemblies, since: filter.since, until: filter.until),
            record: CoverageAssembly.timelines(of: assemblies), losses: losses,
            refusals: RefusalSummary.inOrder(refusals), servedIdentities: try archive.servedIdentities(),
            people: try archive.labels(),
            recordedEncounterCount: encounters.isEmpty ? try archive.encounterCount() : nil,
            filterDescription: filterDescription, archivePath: archive.path, toolVersion: toolVersion,
            time: time)
    }

    var hasSeveralBoards: Bool { boards.count > 1 }

    /// The peer's label; an own board's name follows in brackets.
    func who(_ encounter: Encounter) -> String { encounter.label + ownName(of: encounter) }

    /// " (Badge1)" if the peer is a board of the archive; else empty.
    func ownName(of encounter: Encounter) -> String { ownBoards.remark(of: encounter.summary) }

    /// The peer's label, and of several boards the one that it was near.
    func whoAndWhere(_ encounter: Encounter) -> String {
        who(encounter) + (hasSeveralBoards ? " near \(name(of: encounter.board))" : "")
    }

    func name(of board: LogIdentity) -> String {
        boards.first { $0.identity == board }?.label ?? board.short
    }
}

/// One boot of a board's agent: its start and its parameters.
public struct BoardPeriod: Sendable, Equatable {
    public let board: LogIdentity
    public let boot: UInt64
    /// The clock of all times here.
    public let timeline: Encounter.Timeline
    /// Nil if the boot entry is lost.
    public let start: TimelinePoint?
    public let parameters: BootParameters?
    /// The configured position of the board.
    public let position: GeographicPosition?
    /// The number of anchors that were left out because they contradict others.
    public let rejectedAnchorCount: Int

    /// All boots of a board, in log order.
    public static func all(of history: BoardHistory) -> [BoardPeriod] {
        zip(history.boots, history.placements()).map { BoardPeriod($0, $1, board: history.board) }
    }

    private init(_ boot: BootHistory, _ placement: BootPlacement, board: LogIdentity) {
        let start = boot.parameters?.start
        self.board = board
        self.boot = boot.identifier
        timeline = placement.timeline(of: [start].compactMap(\.self))
        self.start = start.map(placement.point(at:))
        parameters = boot.parameters
        position = boot.position
        rejectedAnchorCount = placement.rejectedAnchorCount
    }
}
