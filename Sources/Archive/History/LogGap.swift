import EncounterLog

/// Segments that a board has erased, and what it says of them.
public struct LogGap: Sendable, Equatable {
    public var cause: GapCause
    /// Somebody had told the board that all of it was safe.
    public var isAcknowledged: Bool
    public var firstSegmentOrdinal: UInt32
    public var segmentCount: Int
    /// Of these, the ones that are not in the archive.
    public var missingSegmentCount: Int
    /// Nil when nobody knows.
    public var entryCount: Int?
    /// There may be more than `entryCount`.
    public var isAtLeast: Bool
    /// Of the first and the last entry, as far as is known.
    public var first: LogHole.Moment?
    public var last: LogHole.Moment?

    /// As the board wrote it.
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

    /// Ordinals that the board passed over may lie among them.
    var segments: Range<Int64> {
        Int64(firstSegmentOrdinal)..<Int64(firstSegmentOrdinal) + Int64(segmentCount)
    }
}

extension GapCause {
    /// For people: a phrase behind "segments".
    public var text: String {
        switch self {
        case .room: "overwritten to make room"
        case .command: "erased by a command"
        case .retention: "erased after their retention time"
        default: "erased (cause \(rawValue))"
        }
    }

    /// For programs.
    public var name: String {
        switch self {
        case .room: "room"
        case .command: "command"
        case .retention: "retention"
        default: "cause\(rawValue)"
        }
    }
}
