/// Time ranges in milliseconds, in ascending order and without overlap.
struct TimeRanges: Equatable, Sendable {
    private(set) var ranges: [Range<UInt64>] = []

    init() {}

    /// Makes time ranges from any list, and merges those that touch.
    init(_ ranges: [Range<UInt64>]) {
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) { append(range) }
    }

    /// Appends a range, which must not begin before the last one.
    mutating func append(_ range: Range<UInt64>) {
        guard !range.isEmpty else { return }
        guard let last = ranges.last, range.lowerBound <= last.upperBound else { return ranges.append(range) }
        ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
    }

    var milliseconds: UInt64 { ranges.reduce(0) { $0 + UInt64($1.count) } }
    var longestMilliseconds: UInt64 { UInt64(ranges.map(\.count).max() ?? 0) }

    /// The parts of `span` outside of all ranges.
    func inverted(within span: Range<UInt64>) -> TimeRanges {
        var rest = TimeRanges()
        var position = span.lowerBound
        for range in ranges where range.overlaps(span) {
            if range.lowerBound > position { rest.append(position..<range.lowerBound) }
            position = max(position, range.upperBound)
        }
        if position < span.upperBound { rest.append(position..<span.upperBound) }
        return rest
    }

    func intersection(_ other: TimeRanges) -> TimeRanges {
        TimeRanges(
            ranges.flatMap { range in
                other.ranges.filter { $0.overlaps(range) }.map { $0.clamped(to: range) }
            })
    }
}
