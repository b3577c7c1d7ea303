import Archive
import FixedMemory
import LogContents

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
