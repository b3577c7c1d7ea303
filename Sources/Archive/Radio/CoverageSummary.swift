import EncounterLog
import FixedMemory

/// The key figures of a coverage timeline.
public struct CoverageSummary: Sendable, Equatable {
    /// The length of the whole requested range.
    public let total: Interval
    public let covered: Interval
    /// The part of the covered time in which no report was received.
    public let quiet: Interval
    /// The longest run of adjacent blind intervals, with the cause of its longest interval. Nil if the board
    /// was never blind.
    public let longestBlind: BlindInterval?
    public let faultCount: Int
    /// All recovery rungs that were taken, in order of time.
    public let rungs: [RecoveryRung]

    public init(_ timeline: CoverageTimeline) {
        total = timeline.range.length
        covered = timeline.covered.reduce(.zero) { $0 + $1.duration }
        quiet = timeline.covered.reduce(.zero) { $0 + $1.quietLength }
        longestBlind = timeline.blindRuns.max { $0.duration < $1.duration }
        faultCount = timeline.episodes.count(where: \.isFault)
        rungs = timeline.episodes.flatMap(\.rungs)
    }

    /// From 0 to 1; nil if the range is empty.
    public var coveredShare: Double? { Self.share(covered, of: total) }

    /// The quiet share of the covered time, from 0 to 1; nil if no time is covered.
    public var quietShare: Double? { Self.share(quiet, of: covered) }

    private static func share(_ part: Interval, of whole: Interval) -> Double? {
        whole > .zero ? Double(part.milliseconds) / Double(whole.milliseconds) : nil
    }
}

extension CoverageTimeline {
    /// Adjacent blind intervals merged into runs; each run has the cause of its longest interval.
    public var blindRuns: [BlindInterval] {
        var runs: [BlindInterval] = []
        var longestPart = Interval.zero
        for part in blind {
            guard let last = runs.last, last.end == part.start else {
                runs.append(part)
                longestPart = part.duration
                continue
            }
            runs[runs.count - 1].end = part.end
            runs[runs.count - 1].boot = nil
            runs[runs.count - 1].startMark.instant = nil
            runs[runs.count - 1].endMark = ClockMark(error: part.endMark.error)
            if part.duration > longestPart {
                runs[runs.count - 1].cause = part.cause
                longestPart = part.duration
            }
        }
        return runs
    }
}
