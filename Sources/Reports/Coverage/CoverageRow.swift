import Archive
import EncounterLog

/// A covered or blind interval in exports. Later versions only add fields; they never rename or remove one.
public struct CoverageRow: Encodable, Sendable {
    public let board: String
    /// "wall", or "boot" if the times count from a boot.
    public let clock: String
    /// 16 hexadecimal digits; null between boots.
    @NullIfUnknown public private(set) var boot: String?
    /// "covered" or "blind".
    public let state: String
    /// RFC 3339, UTC; null without a wall clock.
    @NullIfUnknown public private(set) var start: String?
    @NullIfUnknown public private(set) var end: String?
    /// Times of the board's monotonic clock; null between boots.
    @NullIfUnknown public private(set) var startMonotonicMilliseconds: UInt64?
    @NullIfUnknown public private(set) var endMonotonicMilliseconds: UInt64?
    public let durationSeconds: Double
    /// The larger of the next two.
    @NullIfUnknown public private(set) var clockErrorSeconds: Double?
    /// The error bounds of start and end, either way; null if unknown or without a wall clock.
    @NullIfUnknown public private(set) var startErrorSeconds: Double?
    @NullIfUnknown public private(set) var endErrorSeconds: Double?
    /// This and the next four fields are null for blind intervals.
    @NullIfUnknown public private(set) var reports: Int?
    @NullIfUnknown public private(set) var malformed: Int?
    @NullIfUnknown public private(set) var dropped: Int?
    @NullIfUnknown public private(set) var evicted: Int?
    @NullIfUnknown public private(set) var quietSeconds: Double?
    /// When the controller listened: for a window in each interval. Null for blind intervals, and if
    /// unknown.
    @NullIfUnknown public private(set) var scanIntervalMilliseconds: Double?
    @NullIfUnknown public private(set) var scanWindowMilliseconds: Double?
    /// Null for covered intervals.
    @NullIfUnknown public private(set) var cause: String?
    /// The names of radio faults; empty unless the radio is the cause.
    public let faults: [String]
    public let rungs: [String]

    /// All intervals, in order of time.
    public static func rows(_ timeline: CoverageTimeline) -> [CoverageRow] {
        let covered = timeline.covered.map { ($0.start, CoverageRow($0, timeline)) }
        let blind = timeline.blind.map { ($0.start, CoverageRow($0, timeline)) }
        return (covered + blind).sorted { $0.0 < $1.0 }.map(\.1)
    }

    private init(_ interval: CoveredInterval, _ timeline: CoverageTimeline) {
        let place = Place(
            timeline: timeline, start: interval.start, end: interval.end,
            boot: interval.boot, startMark: interval.startMark, endMark: interval.endMark)
        self.init(
            place, state: "covered", counts: interval, cause: nil)
    }

    private init(_ interval: BlindInterval, _ timeline: CoverageTimeline) {
        let place = Place(
            timeline: timeline, start: interval.start, end: interval.end,
            boot: interval.boot, startMark: interval.startMark, endMark: interval.endMark)
        self.init(place, state: "blind", counts: nil, cause: interval.cause)
    }

    private init(_ place: Place, state: String, counts: CoveredInterval?, cause: BlindCause?) {
        board = place.timeline.board.hexadecimal
        clock = place.timeline.isOnWallClock ? "wall" : "boot"
        boot = place.boot.map(TimeText.boot)
        self.state = state
        start = place.timeline.timeline.wallClock(place.start).map(TimeText.utc)
        end = place.timeline.timeline.wallClock(place.end).map(TimeText.utc)
        startMonotonicMilliseconds = place.startMark.instant?.milliseconds
        endMonotonicMilliseconds = place.endMark.instant?.milliseconds
        durationSeconds = place.end.interval(since: place.start).fractionalSeconds
        let startError = place.startMark.error?.fractionalSeconds
        let endError = place.endMark.error?.fractionalSeconds
        startErrorSeconds = startError
        endErrorSeconds = endError
        clockErrorSeconds = startError.flatMap { start in endError.map { max(start, $0) } }
        reports = counts?.reportCount
        malformed = counts?.malformedCount
        dropped = counts?.droppedCount
        evicted = counts?.evictedCount
        quietSeconds = counts?.quietLength.fractionalSeconds
        scanIntervalMilliseconds = (counts?.timing?.intervalSlots).map { Double($0) * 0.625 }
        scanWindowMilliseconds = (counts?.timing?.windowSlots).map { Double($0) * 0.625 }
        self.cause = cause?.name
        if case .radioFault(let episode)? = cause {
            faults = episode.faults.map(\.name)
            rungs = episode.rungs.map(\.name)
        } else {
            faults = []
            rungs = []
        }
    }

    /// The position of an interval on both clocks.
    private struct Place {
        let timeline: CoverageTimeline
        let start: TimelinePoint
        let end: TimelinePoint
        let boot: UInt64?
        let startMark: ClockMark
        let endMark: ClockMark
    }
}
