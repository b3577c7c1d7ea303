/// Covered and blind time from what the board wrote: pure, the same for the same history.
///
/// Coverage entries say when the board was able to hear. All other time is blind; its cause is what else the log tells
/// of that time: what befell the radio, when the agent started and what it last wrote, what the log lacks.
public enum CoverageAssembly {
    /// A start that is known to lie between its neighbours, and where to no better than this, says nothing of what was
    /// heard at any one time: it is not put on the wall clock's timeline.
    static let vaguestErrorMilliseconds: Int64 = 10_000

    /// The wall clock's timeline, when any start of the agent is on it, then one for each start that is not. The latter
    /// are left out when a time is asked for, since nobody knows when they were.
    ///
    /// `since` and `until` are milliseconds since 1970 UTC; without them the record says: from the first to the last
    /// thing known. There is no timeline of the wall clock when the record lies outside an open end.
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
            // Without a clock nothing is known about the time before the start.
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
    /// Clocks may disagree about which of two starts was when: what both claim is the earlier one's.
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
    /// The part within the range; nil when it lies outside.
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
    /// Neighbours with the same cause are one.
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
