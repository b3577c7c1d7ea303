import FixedMemory
import LogContents

/// Computes covered and blind time from a board's history: a pure function of that history.
///
/// Coverage entries record when the board was able to receive. All other time is blind. The rest of the log
/// gives the cause: radio incidents, boots and their last entries, and missing parts.
public struct CoverageAssembly {
    /// The largest error of a boot that is placed only by its order in the log. A boot with a larger error
    /// does not show what was received at a given time, so it stays off the wall-clock timeline.
    static let vaguestError = Interval.seconds(10)

    private let board: LogIdentity
    private let lives: [BootLife]
    private let holes: [LogHole]

    public init(_ history: BoardHistory) {
        board = history.board
        lives = zip(history.boots, history.placements()).enumerated().map { order, start in
            BootLife(start.0, start.1, order: order)
        }
        holes = history.holes
    }

    /// The timelines of one board.
    public static func timelines(
        of history: BoardHistory, since: WallClockTime? = nil, until: WallClockTime? = nil
    ) -> [CoverageTimeline] {
        CoverageAssembly(history).timelines(since: since, until: until)
    }

    /// The timelines of several boards, board by board. Without `until`, those on the wall clock extend to
    /// the last recorded moment of all boards: of a board that was fetched earlier than another, the rest is
    /// blind, because it is not fetched yet.
    public static func timelines(
        of boards: [CoverageAssembly], since: WallClockTime? = nil, until: WallClockTime? = nil
    ) -> [CoverageTimeline] {
        let end = boards.compactMap { BootLife.range($0.dated)?.upperBound }.max()
        return boards.flatMap { $0.timelines(since: since, until: until, reaching: end) }
    }

    private var dated: [BootLife] { lives.filter(\.isOnWallClock) }

    /// The wall-clock timeline, if any boot is on it, then one timeline for each other boot. With a requested
    /// range the latter are left out, because their wall times are unknown.
    ///
    /// By default the range spans the first to the last recorded moment, or to `end` if that is later. If
    /// only one of its ends is given and the record lies entirely outside it, no wall-clock timeline is
    /// returned.
    private func timelines(
        since: WallClockTime?, until: WallClockTime?, reaching end: TimelinePoint? = nil
    ) -> [CoverageTimeline] {
        let dated = dated
        var timelines: [CoverageTimeline] = []
        if let known = BootLife.range(dated) {
            let (from, to) = (since.map { TimelinePoint($0) }, until.map { TimelinePoint($0) })
            let start = from ?? min(known.lowerBound, to ?? known.lowerBound)
            let last = max(known.upperBound, end ?? known.upperBound)
            let end = to ?? max(last, start)
            if start < end || (since == nil && until == nil) {
                timelines.append(timeline(BootLife.worstError(dated), dated, range: start...end))
            }
        }
        guard since == nil, until == nil else { return timelines }
        for life in lives where !life.isOnWallClock {
            // Without a clock, nothing is known about the time before the boot.
            guard let range = BootLife.range([life]) else { continue }
            var own = timeline(.sinceStart(boot: life.boot), [life], range: range)
            own.notBefore = life.placement.notBefore(
                life.placement.instant(of: range.lowerBound))
            own.notAfter = life.placement.notAfter(
                life.placement.instant(of: range.upperBound))
            timelines.append(own)
        }
        return timelines
    }

    private func timeline(
        _ timeline: Encounter.Timeline, _ lives: [BootLife], range: ClosedRange<TimelinePoint>
    ) -> CoverageTimeline {
        let covered = lives.flatMap(\.covered).withoutOverlap().compactMap { $0.clamped(to: range) }
        let finder = BlindCauseFinder(lives: lives, holes: holes)
        return CoverageTimeline(
            board: board, timeline: timeline, range: range, covered: covered,
            blind: covered.gaps(in: range).flatMap { finder.blindIntervals(in: $0).joined() },
            episodes: lives.flatMap(\.episodes).filter { range.contains($0.start) }
                .sorted { $0.start < $1.start })
    }
}

extension [CoveredInterval] {
    /// Clocks of two boots may overlap; the earlier boot then keeps the shared time.
    fileprivate func withoutOverlap() -> [CoveredInterval] {
        var position = TimelinePoint.distantPast
        return sorted { $0.start < $1.start }.map { interval in
            let start = Swift.max(interval.start, position)
            position = Swift.max(interval.end, start)
            return interval.cut(to: start...position)
        }
    }
}

extension CoveredInterval {
    /// The part within the range; nil if the interval lies outside.
    fileprivate func clamped(to range: ClosedRange<TimelinePoint>) -> CoveredInterval? {
        guard end >= range.lowerBound, start <= range.upperBound else { return nil }
        return cut(
            to: Swift.max(start, range.lowerBound)...Swift.min(end, range.upperBound))
    }

    fileprivate func cut(to range: ClosedRange<TimelinePoint>) -> CoveredInterval {
        var part = self
        if start != range.lowerBound { part.startMark = placement.mark(of: range.lowerBound) }
        if end != range.upperBound { part.endMark = placement.mark(of: range.upperBound) }
        part.start = range.lowerBound
        part.end = range.upperBound
        part.quiet = quiet.filter { $0.overlaps(range) }.map { $0.clamped(to: range) }
        return part
    }
}

extension [BlindInterval] {
    /// Merges adjacent intervals that have the same cause.
    fileprivate func joined() -> [BlindInterval] {
        var result: [BlindInterval] = []
        for interval in self {
            if let last = result.last, last.end == interval.start,
                last.cause == interval.cause, last.boot == interval.boot
            {
                result[result.count - 1].end = interval.end
                result[result.count - 1].endMark = interval.endMark
            } else {
                result.append(interval)
            }
        }
        return result
    }
}
