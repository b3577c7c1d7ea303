import FixedMemory
import LogContents

/// Two boards of the archive were in range of each other, whatever identities they showed.
public struct BoardContact: Sendable, Equatable {
    /// One of both boards, and how it heard the other.
    public struct Side: Sendable, Equatable {
        public var board: LogIdentity
        /// The number of encounters, one for each identity that the other showed; 0 if it heard nothing.
        public var encounterCount: Int
        public var readingCount: Int
        /// Nil without samples.
        public var maximumDBm: Int?
        public var meanDBm: Double?

        public init(
            board: LogIdentity, encounterCount: Int, readingCount: Int, maximumDBm: Int? = nil,
            meanDBm: Double? = nil
        ) {
            self.board = board
            self.encounterCount = encounterCount
            self.readingCount = readingCount
            self.maximumDBm = maximumDBm
            self.meanDBm = meanDBm
        }
    }

    /// The board that was registered earlier.
    public var first: Side
    public var second: Side
    /// The clock of its times.
    public var timeline: Encounter.Timeline
    public var start: TimelinePoint
    public var end: TimelinePoint
    public var certainty: ContactCertainty

    public var duration: Interval { end.interval(since: start) }

    /// Whether each board heard the other.
    public var isMutual: Bool { first.encounterCount > 0 && second.encounterCount > 0 }

    /// The error bound of its times, either way; nil if unknown or not on the wall clock.
    public var clockError: Interval? {
        guard case .wallClock(let error) = timeline else { return nil }
        return error
    }

    public var sides: [Side] { [first, second] }

    /// The side of `board`, and the other one.
    public func sides(from board: LogIdentity) -> (own: Side, other: Side) {
        board == second.board ? (second, first) : (first, second)
    }
}
