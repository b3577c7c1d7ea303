import EncounterLog
import FixedMemory
import LogContents

/// The covered and blind intervals of one board, on the wall clock or for one boot without a clock, with the
/// causes of blindness.
public struct CoverageTimeline: Sendable, Equatable {
    public var board: LogIdentity
    /// The clock of all times here; its error is the worst of all boots on it.
    public var timeline: Encounter.Timeline
    /// Bounds of the wall time for a boot that is not on the wall clock; nil if unknown.
    public var notBefore: WallClockTime?
    public var notAfter: WallClockTime?
    /// The requested range; covered and blind intervals together fill it.
    public var range: ClosedRange<TimelinePoint>
    /// In order of time, without overlap; adjacent intervals are merged.
    public var covered: [CoveredInterval]
    /// In order of time, without overlap.
    public var blind: [BlindInterval]
    /// The radio episodes that begin within the range.
    public var episodes: [RadioEpisode]

    public init(
        board: LogIdentity, timeline: Encounter.Timeline, range: ClosedRange<TimelinePoint>,
        covered: [CoveredInterval], blind: [BlindInterval], episodes: [RadioEpisode]
    ) {
        self.board = board
        self.timeline = timeline
        self.range = range
        self.covered = covered
        self.blind = blind
        self.episodes = episodes
    }

    public var isOnWallClock: Bool {
        guard case .wallClock = timeline else { return false }
        return true
    }

    /// The timeline up to the last fetched entry. The rest of the log may show that the board listened.
    public var fetched: CoverageTimeline {
        guard let last = blind.last, last.cause == .notFetched else { return self }
        var part = self
        part.blind.removeLast()
        part.range = range.lowerBound...last.start
        return part
    }

    /// The length of the rest of the range, which is not fetched yet.
    public var notFetched: Interval { range.upperBound.interval(since: fetched.range.upperBound) }
}

/// An interval during which the board was scanning.
public struct CoveredInterval: Sendable, Equatable {
    public var start: TimelinePoint
    public var end: TimelinePoint
    /// The boot that it belongs to.
    public var boot: UInt64
    public var startMark: ClockMark
    public var endMark: ClockMark
    /// The placement of that boot on the timeline.
    let placement: BootPlacement
    /// The counts of the whole interval, even if only a part of it was requested.
    public var reportCount: Int
    public var malformedCount: Int
    public var droppedCount: Int
    public var evictedCount: Int
    /// When the controller listened, the same during the whole interval; nil if unknown.
    public var timing: ScanTiming?
    /// The parts in which no report was received.
    public var quiet: [ClosedRange<TimelinePoint>]

    public var duration: Interval { end.interval(since: start) }
    public var quietLength: Interval { quiet.reduce(.zero) { $0 + $1.length } }
}

extension [CoveredInterval] {
    /// The times within the range that are not covered. The intervals are in order of time.
    public func gaps(in range: ClosedRange<TimelinePoint>) -> [ClosedRange<TimelinePoint>] {
        var gaps: [ClosedRange<TimelinePoint>] = []
        var position = range.lowerBound
        for interval in self where interval.start < range.upperBound {
            if interval.start > position { gaps.append(position...interval.start) }
            position = Swift.max(position, interval.end)
        }
        if range.upperBound > position { gaps.append(position...range.upperBound) }
        return gaps
    }
}

/// An interval without recorded coverage: the absence of encounters proves nothing there.
public struct BlindInterval: Sendable, Equatable {
    public var start: TimelinePoint
    public var end: TimelinePoint
    /// The boot during which it happened; nil between two boots.
    public var boot: UInt64?
    public var startMark: ClockMark
    public var endMark: ClockMark
    public var cause: BlindCause

    public init(
        start: TimelinePoint, end: TimelinePoint, boot: UInt64?,
        startMark: ClockMark = ClockMark(), endMark: ClockMark = ClockMark(), cause: BlindCause
    ) {
        self.start = start
        self.end = end
        self.boot = boot
        self.startMark = startMark
        self.endMark = endMark
        self.cause = cause
    }

    public var duration: Interval { end.interval(since: start) }
}

/// Why a board was blind, as far as its log shows.
public enum BlindCause: Sendable, Equatable {
    /// The radio failed, in this episode.
    case radioFault(RadioEpisode)
    /// The agent had started, but its radio was not up yet.
    case startingUp
    /// The time between the last entry of one boot and the next boot. The agent was off, or its last entries
    /// are lost, which is at most the loss window.
    case notRunning(lossWindow: Interval?)
    /// The board ran in between without knowing the time, so those boots cannot be placed here.
    case noClock(bootCount: Int)
    /// The board overwrote this part of the log before it was fetched.
    case logOverwritten
    /// The log pages of that time are damaged.
    case logDamaged
    /// Pages of that time are locked.
    case logClosed
    /// The time lies before the log begins.
    case beforeRecord
    /// The time lies after the last fetched entry.
    case notFetched
    case unknown
}
