/// Computes covered and blind time from a board's history: a pure function of that history.
///
/// Coverage entries record when the board was able to receive. All other time is blind. The rest of the log
/// gives the cause: radio incidents, boots and their last entries, and missing parts.
public enum CoverageAssembly {
    /// The largest error of a boot that is placed only by its order in the log. A boot with a larger error
    /// cannot say what was received at a given time, so it stays off the wall-clock timeline.
    static let vaguestErrorMilliseconds: Int64 = 10_000

    /// The wall-clock timeline, if any boot is on it, then one timeline for each other boot. With a requested
    /// range the latter are left out, because their wall times are unknown.
    ///
    /// `since` and `until` are milliseconds since 1970 UTC; by default the range spans the first to the last
    /// recorded moment. If only one of them is given and the record lies entirely outside it, no wall-clock
    /// timeline is returned.
    public static func timelines(
        of history: BoardHistory, since: Int64? = nil, until: Int64? = nil
    ) -> [CoverageTimeline] {
        let lives = zip(history.boots, history.placements()).enumerated().map { order, start in
            BootLife(start.0, start.1, order: order)
        }
        let dated = lives.filter(\.isOnWallClock)
        var timelines: [CoverageTimeline] = []
        if let known = BootLife.range(dated) {
            let start = since ?? min(known.lowerBound, until ?? known.lowerBound)
            let end = until ?? max(known.upperBound, start)
            if start < end || (since == nil && until == nil) {
                timelines.append(
                    timeline(
                        BootLife.worstError(dated), dated, history: history, range: start...end))
            }
        }
        guard since == nil, until == nil else { return timelines }
        for life in lives where !life.isOnWallClock {
            // Without a clock, nothing is known about the time before the boot.
            guard let range = BootLife.range([life]) else { continue }
            var own = timeline(.sinceStart(boot: life.boot), [life], history: history, range: range)
            own.notBeforeMilliseconds = life.placement.notBefore(
                life.placement.monotonicMilliseconds(of: range.lowerBound))
            own.notAfterMilliseconds = life.placement.notAfter(
                life.placement.monotonicMilliseconds(of: range.upperBound))
            timelines.append(own)
        }
        return timelines
    }

    private static func timeline(
        _ timeline: Encounter.Timeline, _ lives: [BootLife], history: BoardHistory, range: ClosedRange<Int64>
    ) -> CoverageTimeline {
        let covered = lives.flatMap(\.covered).withoutOverlap().compactMap { $0.clamped(to: range) }
        let finder = BlindCauseFinder(lives: lives, holes: history.holes)
        return CoverageTimeline(
            board: history.board, timeline: timeline, range: range, covered: covered,
            blind: gaps(in: range, between: covered).flatMap { finder.blindIntervals(in: $0).joined() },
            episodes: lives.flatMap(\.episodes).filter { range.contains($0.startMilliseconds) }
                .sorted { $0.startMilliseconds < $1.startMilliseconds })
    }

    private static func gaps(
        in range: ClosedRange<Int64>, between covered: [CoveredInterval]
    ) -> [ClosedRange<Int64>] {
        var gaps: [ClosedRange<Int64>] = []
        var position = range.lowerBound
        for interval in covered {
            if interval.startMilliseconds > position { gaps.append(position...interval.startMilliseconds) }
            position = max(position, interval.endMilliseconds)
        }
        if range.upperBound > position { gaps.append(position...range.upperBound) }
        return gaps
    }
}

extension [CoveredInterval] {
    /// Clocks of two boots may overlap; the earlier boot then keeps the shared time.
    fileprivate func withoutOverlap() -> [CoveredInterval] {
        var position = Int64.min
        return sorted { $0.startMilliseconds < $1.startMilliseconds }.map { interval in
            let start = Swift.max(interval.startMilliseconds, position)
            position = Swift.max(interval.endMilliseconds, start)
            return interval.cut(to: start...position)
        }
    }
}

extension CoveredInterval {
    /// The part within the range; nil if the interval lies outside.
    fileprivate func clamped(to range: ClosedRange<Int64>) -> CoveredInterval? {
        guard endMilliseconds >= range.lowerBound, startMilliseconds <= range.upperBound else { return nil }
        return cut(
            to: Swift.max(startMilliseconds, range.lowerBound)...Swift.min(endMilliseconds, range.upperBound))
    }

    fileprivate func cut(to range: ClosedRange<Int64>) -> CoveredInterval {
        var part = self
        if startMilliseconds != range.lowerBound { part.startMark = placement.mark(of: range.lowerBound) }
        if endMilliseconds != range.upperBound { part.endMark = placement.mark(of: range.upperBound) }
        part.startMilliseconds = range.lowerBound
        part.endMilliseconds = range.upperBound
        part.quiet = quiet.filter { $0.overlaps(range) }.map { $0.clamped(to: range) }
        return part
    }
}

extension [BlindInterval] {
    /// Merges adjacent intervals that have the same cause.
    fileprivate func joined() -> [BlindInterval] {
        var result: [BlindInterval] = []
        for interval in self {
            if let last = result.last, last.endMilliseconds == interval.startMilliseconds,
                last.cause == interval.cause, last.boot == interval.boot
            {
                result[result.count - 1].endMilliseconds = interval.endMilliseconds
                result[result.count - 1].endMark = interval.endMark
            } else {
                result.append(interval)
            }
        }
        return result
    }
}
