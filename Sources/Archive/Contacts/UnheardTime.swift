import FixedMemory
import LogContents

/// A time in which a board did not listen, so that its meetings may have gone unnoticed.
public struct UnheardTime: Sendable, Equatable {
    public var start: TimelinePoint
    public var end: TimelinePoint
    public var cause: BlindCause
    /// The boards that listened at some time meanwhile. They may have heard this one, as far as it
    /// advertised.
    public var listeners: [LogIdentity]

    public var duration: Interval { end.interval(since: start) }

    /// The times in which a board did not listen, in order.
    ///
    /// - Parameters:
    ///   - timeline: the board's, on the wall clock.
    ///   - others: the timelines of other boards.
    public static func times(
        in timeline: CoverageTimeline, others: [CoverageTimeline]
    ) -> [UnheardTime] {
        let others = others.filter { $0.isOnWallClock && $0.board != timeline.board }
        // The board may have listened in time that is not fetched yet.
        return timeline.fetched.blindRuns.map { run in
            UnheardTime(
                start: run.start, end: run.end, cause: run.cause,
                listeners: others.filter { $0.covered.touch(run.start..<run.end) }.map(\.board))
        }
    }
}

extension [CoveredInterval] {
    /// Whether one of the intervals, which are in order of time, overlaps the range.
    fileprivate func touch(_ range: Range<TimelinePoint>) -> Bool {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle].end <= range.lowerBound { low = middle + 1 } else { high = middle }
        }
        return low < count && self[low].start < range.upperBound
    }
}
