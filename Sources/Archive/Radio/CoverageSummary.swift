import EncounterLog

/// A timeline of coverage in a few numbers.
public struct CoverageSummary: Sendable, Equatable {
    /// All that was asked for.
    public let totalMilliseconds: Int64
    public let coveredMilliseconds: Int64
    /// Of the covered time, that in which nothing was heard.
    public let quietMilliseconds: Int64
    /// Neighbours in one; its cause is that of its longest part. Nil when the board was never blind.
    public let longestBlind: BlindInterval?
    public let faultCount: Int
    /// All that were taken, in order of time.
    public let rungs: [RecoveryRung]

    public init(_ timeline: CoverageTimeline) {
        totalMilliseconds = timeline.range.upperBound - timeline.range.lowerBound
        coveredMilliseconds = timeline.covered.reduce(0) { $0 + $1.durationMilliseconds }
        quietMilliseconds = timeline.covered.reduce(0) { $0 + $1.quietMilliseconds }
        longestBlind = timeline.blindRuns.max { $0.durationMilliseconds < $1.durationMilliseconds }
        faultCount = timeline.episodes.count(where: \.isFault)
        rungs = timeline.episodes.flatMap(\.rungs)
    }

    /// From 0 to 1; nil for no time at all.
    public var coveredShare: Double? { Self.share(coveredMilliseconds, of: totalMilliseconds) }

    /// Of the covered time; nil when there is none.
    public var quietShare: Double? { Self.share(quietMilliseconds, of: coveredMilliseconds) }

    private static func share(_ part: Int64, of whole: Int64) -> Double? {
        whole > 0 ? Double(part) / Double(whole) : nil
    }
}

extension CoverageTimeline {
    /// Blind intervals with those that adjoin in one, which has the cause of its longest part.
    public var blindRuns: [BlindInterval] {
        var runs: [BlindInterval] = []
        var longestPart: Int64 = 0
        for part in blind {
            guard let last = runs.last, last.endMilliseconds == part.startMilliseconds else {
                runs.append(part)
                longestPart = part.durationMilliseconds
                continue
            }
            runs[runs.count - 1].endMilliseconds = part.endMilliseconds
            runs[runs.count - 1].boot = nil
            runs[runs.count - 1].startMark.monotonicMilliseconds = nil
            runs[runs.count - 1].endMark = ClockMark(errorMilliseconds: part.endMark.errorMilliseconds)
            if part.durationMilliseconds > longestPart {
                runs[runs.count - 1].cause = part.cause
                longestPart = part.durationMilliseconds
            }
        }
        return runs
    }
}
