import Archive
import FixedMemory
import LogContents

/// The content of one timeline figure: everything on the wall clock, or everything of one boot without a
/// clock. Times of different scopes cannot be compared.
struct FigureScope {
    enum Kind: Hashable {
        case wallClock
        case sinceStart(board: LogIdentity, boot: UInt64)
    }

    /// A peer near one board: a row has the blind times of that board.
    struct Row {
        /// The name or the newest label; a venue may have changed its own.
        let name: String
        /// The newest label of one who has a name.
        let identifier: String?
        let board: LogIdentity
        let isIdentified: Bool
        let encounters: [Encounter]
        /// The total duration, by which rows are chosen if a figure cannot show all.
        var total: Interval { encounters.reduce(.zero) { $0 + $1.duration } }
    }

    struct Restart {
        let board: LogIdentity
        let time: TimelinePoint
    }

    static let maximumRowCount = 60

    let kind: Kind
    /// Peers in order of first appearance, and each peer's boards likewise.
    let rows: [Row]
    let hiddenRowCount: Int
    let boards: [LogIdentity]
    let restarts: [Restart]
    let range: ClosedRange<TimelinePoint>
    /// The recorded coverage of the boards on this clock.
    private let timelines: [CoverageTimeline]

    /// The scopes that have encounters, the wall clock first.
    static func scopes(of model: ReportModel) -> [FigureScope] {
        var kinds: [Kind] = []
        for encounter in model.encounters where !kinds.contains(Kind(encounter)) {
            kinds.append(Kind(encounter))
        }
        kinds.sort { $0 == .wallClock && $1 != .wallClock }
        return kinds.prefix(maximumCount).compactMap { FigureScope($0, model: model) }
    }

    private init?(_ kind: Kind, model: ReportModel) {
        let encounters = model.encounters.filter { Kind($0) == kind }
        guard let start = encounters.map(\.start).min(),
            let end = encounters.map(\.end).max()
        else { return nil }
        let periods = model.periods.filter { Kind($0) == kind }
        let all = Self.rows(encounters, of: model)
        let shown = Set(
            all.indices.sorted { all[$0].total > all[$1].total }
                .prefix(Self.maximumRowCount))

        self.kind = kind
        rows = all.indices.filter(shown.contains).map { all[$0] }
        hiddenRowCount = all.count - rows.count
        range = start...end
        boards = model.boards.map(\.identity).filter { board in encounters.contains { $0.board == board } }
        let boards = boards
        timelines = model.record.filter { Kind($0) == kind && boards.contains($0.board) }
        // The first boot in the archive is the beginning of the record, not a restart.
        let begun = Dictionary(grouping: model.periods, by: \.board).compactMapValues(\.first?.boot)
        restarts = periods.compactMap { period in
            guard begun[period.board] != period.boot else { return nil }
            return period.start.map { Restart(board: period.board, time: $0) }
        }
    }

    var isOnWallClock: Bool { kind == .wallClock }

    /// A time of this scope as text.
    func text(_ point: TimelinePoint, _ time: TimeText) -> String {
        wallClock(point).map(time.dateAndTime) ?? TimeText.relative(point)
    }

    /// The range in wall time; nil for a boot without a clock.
    var wallClockRange: ClosedRange<WallClockTime>? {
        guard let start = wallClock(range.lowerBound), let end = wallClock(range.upperBound) else {
            return nil
        }
        return start...end
    }

    /// The maximum number of scopes that are drawn: each boot without a clock has one.
    static let maximumCount = 12

    private func wallClock(_ point: TimelinePoint) -> WallClockTime? {
        isOnWallClock ? WallClockTime(clamping: point.milliseconds) : nil
    }

    /// The board's coverage; nil if its log contains none.
    func coverage(of board: LogIdentity) -> CoverageTimeline? { timelines.first { $0.board == board } }

    /// The times in which nothing shows that the board could receive anything.
    func blind(_ board: LogIdentity) -> [ClosedRange<TimelinePoint>] {
        coverage(of: board)?.covered.gaps(in: range) ?? [range]
    }

    private static func rows(_ encounters: [Encounter], of model: ReportModel) -> [Row] {
        var peers: [Peer] = []
        var groups: [Peer: [Encounter]] = [:]
        for encounter in encounters.sorted(by: { $0.start < $1.start }) {
            let peer = Peer(encounter)
            if groups[peer] == nil { peers.append(peer) }
            groups[peer, default: []].append(encounter)
        }
        return peers.flatMap { peer in
            let group = groups[peer, default: []]
            let label = group.last.map { Markup.shortened($0.label, to: 60) } ?? ""
            let name = group.last.flatMap { model.ownBoards.name(of: $0.summary) }
                .map { Markup.shortened($0, to: 60) }
            let boards = group.map(\.board).reduce(into: [LogIdentity]()) { boards, board in
                if !boards.contains(board) { boards.append(board) }
            }
            return boards.map { board in
                Row(
                    name: name ?? label, identifier: name == nil ? nil : label, board: board,
                    isIdentified: peer.isIdentified,
                    encounters: group.filter { $0.board == board })
            }
        }
    }
}

extension FigureScope.Kind {
    init(_ encounter: Encounter) { self.init(encounter.summary) }
    init(_ encounter: EncounterSummary) { self.init(encounter.timeline, board: encounter.board) }
    fileprivate init(_ period: BoardPeriod) { self.init(period.timeline, board: period.board) }
    fileprivate init(_ coverage: CoverageTimeline) { self.init(coverage.timeline, board: coverage.board) }

    private init(_ timeline: Encounter.Timeline, board: LogIdentity) {
        switch timeline {
        case .wallClock: self = .wallClock
        case .sinceStart(let boot): self = .sinceStart(board: board, boot: boot)
        }
    }
}
