import Archive

/// Computes the times in which none of several boards could receive anything.
enum BlindShade {
    /// The blind times common to all timelines, within the range and in order.
    static func ranges(_ timelines: [CoverageTimeline], in range: ClosedRange<Int64>) -> [ClosedRange<Int64>]
    {
        guard let first = timelines.first else { return [] }
        return timelines.dropFirst().reduce(blind(first, in: range)) { common, timeline in
            intersection(common, blind(timeline, in: range))
        }
    }

    private static func blind(
        _ timeline: CoverageTimeline, in range: ClosedRange<Int64>
    ) -> [ClosedRange<Int64>] {
        timeline.blindRuns.map { $0.startMilliseconds...$0.endMilliseconds }
            .filter { $0.overlaps(range) }.map { $0.clamped(to: range) }
    }

    private static func intersection(
        _ some: [ClosedRange<Int64>], _ others: [ClosedRange<Int64>]
    ) -> [ClosedRange<Int64>] {
        var result: [ClosedRange<Int64>] = []
        var left = some[...]
        var right = others[...]
        while let one = left.first, let other = right.first {
            if one.overlaps(other) { result.append(one.clamped(to: other)) }
            if one.upperBound < other.upperBound { left.removeFirst() } else { right.removeFirst() }
        }
        return result
    }
}
