import EncounterLog

/// The key figures of a coverage timeline.
public struct CoverageSummary: Sendable, Equatable {
    /// The length of the whole requested range.
    public let totalMilliseconds: Int64
    public let coveredMilliseconds: Int64
    /// The part of the covered time in which no report was received.
    public let quietMilliseconds: Int64
    /// The longest run of adjacent blind intervals, with the cause of its longest interval. Nil if the board
    /// was never blind.
    public let longestBlind: BlindInterval?
    public let faultCount: Int
    /// All recovery rungs that were taken, in order of time.
    public let rungs: [RecoveryRung]

    public init(_ timeline: CoverageTimeline) {
        totalMilliseconds = timeline.range.upperBound - timeline.range.lowerBound
        coveredMilliseconds = timeline.covered.reduce(0) { $0 + $1.durationMilliseconds }
        quietMilliseconds = timeline.covered.reduce(0) { $0 + $1.quietMilliseconds }
        longestBlind = timeline.blindRuns.max { $0.durationMilliseconds < $1.durationMilliseconds }
        faultCount = timeline.episodes.count(where: \.isFault)
        rungs = timeline.episodes.flatMap(\.rungs)
    }

    /// From 0 to 1; nil if the range is empty.
    public var coveredShare: Double? { Self.share(coveredMilliseconds, of: totalMilliseconds) }

    /// The quiet share of the covered time, from 0 to 1; nil if no time is covered.
    public var quietShare: Double? { Self.share(quietMilliseconds, of: coveredMilliseconds) }

    private static func share(_ part: Int64, of whole: Int64) -> Double? {
        whole > 0 ? Double(part) / Double(whole) : nil
    }
}

extension CoverageTimeline {
    /// Adjacent blind intervals merged into runs; each run has the cause of its longest interval.
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
