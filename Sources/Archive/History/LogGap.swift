import EncounterLog

/// An erased range: segments that a board has erased, and what it reports about them.
public struct LogGap: Sendable, Equatable {
    public var cause: GapCause
    /// True if a host had acknowledged all of the range to the board.
    public var isAcknowledged: Bool
    public var firstSegmentOrdinal: UInt32
    public var segmentCount: Int
    /// The number of these segments that the archive lacks.
    public var missingSegmentCount: Int
    /// The number of erased entries; nil if it is unknown.
    public var entryCount: Int?
    /// True if `entryCount` is a lower bound.
    public var isAtLeast: Bool
    /// The times of the first and the last erased entry; nil if unknown.
    public var first: LogHole.Moment?
    public var last: LogHole.Moment?

    /// Converts the board's entry.
    public init(_ entry: GapEntry, missingSegmentCount: Int) {
        let isKnown = entry.knowledge != 0
        cause = entry.cause
        isAcknowledged = entry.isAcknowledged
        firstSegmentOrdinal = entry.firstSegmentOrdinal
        segmentCount = Int(entry.segmentCount)
        self.missingSegmentCount = missingSegmentCount
        entryCount = isKnown ? Int(entry.entryCount) : nil
        isAtLeast = entry.knowledge != 1
        first = isKnown ? LogHole.Moment(entry.first) : nil
        last = isKnown ? LogHole.Moment(entry.last) : nil
    }

    /// The ordinals of the range. It may include ordinals that the board skipped.
    var segments: Range<Int64> {
        Int64(firstSegmentOrdinal)..<Int64(firstSegmentOrdinal) + Int64(segmentCount)
    }
}

extension GapCause {
    /// The cause for people: a phrase that follows "segments".
    public var text: String {
        switch self {
        case .room: "overwritten to make room"
        case .command: "erased by a command"
        case .retention: "erased after their retention time"
        default: "erased (cause \(rawValue))"
        }
    }

    /// The cause's name for programs.
    public var name: String {
        switch self {
        case .room: "room"
        case .command: "command"
        case .retention: "retention"
        default: "cause\(rawValue)"
        }
    }
}
