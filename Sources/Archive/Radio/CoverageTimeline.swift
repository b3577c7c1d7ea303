import EncounterLog
import LogContents

/// When one board was able to hear, and why it was not when it was not: on the wall clock, or for one start of the
/// agent that had none.
public struct CoverageTimeline: Sendable, Equatable {
    public var board: LogIdentity
    /// The clock of all times here; its error is the worst of all starts on it.
    public var timeline: Encounter.Timeline
    /// Since 1970 UTC: all that is known of a start on no wall clock. Nil where nothing is.
    public var notBeforeMilliseconds: Int64?
    public var notAfterMilliseconds: Int64?
    /// The time asked for; covered and blind intervals together fill it.
    public var range: ClosedRange<Int64>
    /// In order, without overlap; pieces that touch are one.
    public var covered: [CoveredInterval]
    /// In order, without overlap.
    public var blind: [BlindInterval]
    /// What befell the radio within the range.
    public var episodes: [RadioEpisode]

    public init(
        board: LogIdentity, timeline: Encounter.Timeline, range: ClosedRange<Int64>,
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
}

/// A stretch during which the board was scanning.
public struct CoveredInterval: Sendable, Equatable {
    public var startMilliseconds: Int64
    public var endMilliseconds: Int64
    /// The start of the agent that it belongs to.
    public var boot: UInt64
    public var startMark: ClockMark
    public var endMark: ClockMark
    /// Where the times of that start lie.
    let placement: BootPlacement
    /// Of the whole interval, even where only a part of it was asked for.
    public var reportCount: Int
    public var malformedCount: Int
    public var droppedCount: Int
    public var evictedCount: Int
    /// The parts of it in which nothing was heard.
    public var quiet: [ClosedRange<Int64>]

    public var durationMilliseconds: Int64 { endMilliseconds - startMilliseconds }
    public var quietMilliseconds: Int64 { quiet.reduce(0) { $0 + $1.upperBound - $1.lowerBound } }
}

/// A stretch that no coverage is recorded of: silence says nothing there.
public struct BlindInterval: Sendable, Equatable {
    public var startMilliseconds: Int64
    public var endMilliseconds: Int64
    /// The start of the agent during which it happened; nil between two of them.
    public var boot: UInt64?
    public var startMark: ClockMark
    public var endMark: ClockMark
    public var cause: BlindCause

    public init(
        startMilliseconds: Int64, endMilliseconds: Int64, boot: UInt64?,
        startMark: ClockMark = ClockMark(), endMark: ClockMark = ClockMark(), cause: BlindCause
    ) {
        self.startMilliseconds = startMilliseconds
        self.endMilliseconds = endMilliseconds
        self.boot = boot
        self.startMark = startMark
        self.endMark = endMark
        self.cause = cause
    }

    public var durationMilliseconds: Int64 { endMilliseconds - startMilliseconds }
}

/// Why a board was blind, as far as its log tells.
public enum BlindCause: Sendable, Equatable {
    /// The radio failed; what is known of it.
    case radioFault(RadioEpisode)
    /// The agent had started and its radio was not up yet.
    case startingUp
    /// From the last thing known of one start of the agent to the next: it was off, or what it wrote last is lost,
    /// which is at most the loss window.
    case notRunning(lossWindowMilliseconds: Int64?)
    /// The board ran meanwhile without knowing the time: what it recorded cannot be placed here.
    case noClock(bootCount: Int)
    /// The board overwrote the log of that time before it was fetched.
    case logOverwritten
    /// The log's pages of that time cannot be read.
    case logDamaged
    /// Pages of that time are sealed, and were not opened yet.
    case logClosed
    /// Before the log begins.
    case beforeRecord
    /// Behind the last thing fetched.
    case notFetched
    case unknown
}
