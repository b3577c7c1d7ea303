import Archive
import FixedMemory

/// Prepares samples for drawing: splits them where the signal was absent, and thins them to the figure's
/// resolution.
enum SampleRuns {
    /// Runs of samples without a break, each with at least one sample.
    static func runs(_ samples: [Sample<TimelinePoint>]) -> [[Sample<TimelinePoint>]] {
        let limit = longestBreak(samples)
        var runs: [[Sample<TimelinePoint>]] = []
        for sample in samples {
            if let last = runs.last?.last, sample.start.interval(since: last.end) <= limit {
                runs[runs.count - 1].append(sample)
            } else {
                runs.append([sample])
            }
        }
        return runs
    }

    /// Merges neighbouring samples down to about `limit`. Extremes are kept; means are weighted by the number
    /// of readings.
    static func thinned(_ samples: [Sample<TimelinePoint>], to limit: Int) -> [Sample<TimelinePoint>] {
        guard samples.count > limit, limit > 0 else { return samples }
        let size = (samples.count + limit - 1) / limit
        return stride(from: 0, to: samples.count, by: size).compactMap { start in
            merged(samples[start..<min(start + size, samples.count)])
        }
    }

    private static func merged(_ samples: ArraySlice<Sample<TimelinePoint>>) -> Sample<TimelinePoint>? {
        guard var result = samples.first, let summary = RSSISummary(Array(samples)) else { return nil }
        result.end = samples.map(\.end).max() ?? result.end
        result.readingCount = samples.reduce(0) { $0 + $1.readingCount }
        result.minimumDBm = summary.minimumDBm
        result.maximumDBm = summary.maximumDBm
        result.meanDBm = summary.meanDBm
        return result
    }

    /// Most peers are heard irregularly.
    private static let shortestBreak = Interval.seconds(20)

    /// The pause at which a line breaks: two and a half times the median distance of samples.
    private static func longestBreak(_ samples: [Sample<TimelinePoint>]) -> Interval {
        let distances = zip(samples, samples.dropFirst()).map { $1.start.interval(since: $0.start) }
        guard !distances.isEmpty else { return shortestBreak }
        return max(shortestBreak, distances.sorted()[distances.count / 2] * 5 / 2)
    }
}

extension Sample<TimelinePoint> {
    var middle: TimelinePoint { start + end.interval(since: start) / 2 }
}
