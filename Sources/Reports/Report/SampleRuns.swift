import Archive

/// Prepares samples for drawing: splits them where the signal was absent, and thins them to the figure's
/// resolution.
enum SampleRuns {
    /// Runs of samples without a break, each with at least one sample.
    static func runs(_ samples: [Sample]) -> [[Sample]] {
        let limit = breakMilliseconds(samples)
        var runs: [[Sample]] = []
        for sample in samples {
            if let last = runs.last?.last, sample.startMilliseconds - last.endMilliseconds <= limit {
                runs[runs.count - 1].append(sample)
            } else {
                runs.append([sample])
            }
        }
        return runs
    }

    /// Merges neighbouring samples down to about `limit`. Extremes are kept; means are weighted by the number
    /// of readings.
    static func thinned(_ samples: [Sample], to limit: Int) -> [Sample] {
        guard samples.count > limit, limit > 0 else { return samples }
        let size = (samples.count + limit - 1) / limit
        return stride(from: 0, to: samples.count, by: size).compactMap { start in
            merged(samples[start..<min(start + size, samples.count)])
        }
    }

    private static func merged(_ samples: ArraySlice<Sample>) -> Sample? {
        guard var result = samples.first, let summary = RSSISummary(Array(samples)) else { return nil }
        result.endMilliseconds = samples.map(\.endMilliseconds).max() ?? result.endMilliseconds
        result.readingCount = samples.reduce(0) { $0 + $1.readingCount }
        result.minimumDBm = summary.minimumDBm
        result.maximumDBm = summary.maximumDBm
        result.meanDBm = summary.meanDBm
        return result
    }

    /// The pause at which a line breaks: two and a half times the median distance of samples. It is at least
    /// 20 s, because most peers are heard irregularly.
    private static func breakMilliseconds(_ samples: [Sample]) -> Int64 {
        let distances = zip(samples, samples.dropFirst()).map { $1.startMilliseconds - $0.startMilliseconds }
        guard !distances.isEmpty else { return 20_000 }
        return max(20_000, distances.sorted()[distances.count / 2] * 5 / 2)
    }
}

extension Sample {
    var middleMilliseconds: Int64 { startMilliseconds + (endMilliseconds - startMilliseconds) / 2 }
}
