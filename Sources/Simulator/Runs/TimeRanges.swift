import FixedMemory

/// Ranges of monotonic time, in ascending order and without overlap.
struct TimeRanges: Equatable, Sendable {
    private(set) var ranges: [Range<Instant>] = []

    init() {}

    /// Makes time ranges from any list, and merges those that touch.
    init(_ ranges: [Range<Instant>]) {
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) { append(range) }
    }

    /// Appends a range, which must not begin before the last one.
    mutating func append(_ range: Range<Instant>) {
        guard !range.isEmpty else { return }
        guard let last = ranges.last, range.lowerBound <= last.upperBound else { return ranges.append(range) }
        ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
    }

    var length: Interval { ranges.reduce(.zero) { $0 + $1.length } }
    var longest: Interval { ranges.map(\.length).max() ?? .zero }

    /// The parts of `span` outside of all ranges.
    func inverted(within span: Range<Instant>) -> TimeRanges {
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

extension Range<Instant> {
    var length: Interval { upperBound - lowerBound }
}
