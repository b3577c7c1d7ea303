import Archive

/// Computes the times in which none of several boards could receive anything.
enum BlindShade {
    /// The blind times common to all timelines, within the range and in order.
    static func ranges(_ timelines: [CoverageTimeline], in range: ClosedRange<TimelinePoint>) -> [ClosedRange<
        TimelinePoint
    >] {
        guard let first = timelines.first else { return [] }
        return timelines.dropFirst().reduce(blind(first, in: range)) { common, timeline in
            intersection(common, blind(timeline, in: range))
        }
    }

    private static func blind(
        _ timeline: CoverageTimeline, in range: ClosedRange<TimelinePoint>
    ) -> [ClosedRange<TimelinePoint>] {
        timeline.blindRuns.map { $0.start...$0.end }
            .filter { $0.overlaps(range) }.map { $0.clamped(to: range) }
    }

    private static func intersection(
        _ some: [ClosedRange<TimelinePoint>], _ others: [ClosedRange<TimelinePoint>]
    ) -> [ClosedRange<TimelinePoint>] {
        var result: [ClosedRange<TimelinePoint>] = []
        var left = some[...]
        var right = others[...]
        while let one = left.first, let other = right.first {
            if one.overlaps(other) { result.append(one.clamped(to: other)) }
            if one.upperBound < other.upperBound { left.removeFirst() } else { right.removeFirst() }
        }
        return result
    }
}
