import FixedMemory

/// How many durations lie in each of some classes, of which each is about twice as long as the one before.
public struct DurationHistogram: Sendable, Equatable {
    /// Each class ends before this duration, in seconds; the last one has no end.
    static let ends: [UInt64] = [
        10, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400, 28_800, 86_400,
    ]

    public private(set) var counts = [Int](repeating: 0, count: ends.count + 1)

    public init() {}

    public mutating func add(_ duration: Interval) {
        let seconds = duration.milliseconds / 1_000
        counts[Self.ends.firstIndex { seconds < $0 } ?? Self.ends.count] += 1
    }

    var total: Int { counts.reduce(0, +) }

    /// The classes from the first to the last one with a duration.
    var used: Range<Int> {
        guard let first = counts.firstIndex(where: { $0 > 0 }),
            let last = counts.lastIndex(where: { $0 > 0 })
        else { return 0..<0 }
        return first..<last + 1
    }

    /// "2 to 5 min"
    static func label(_ index: Int) -> String {
        guard index > 0 else { return "below \(text(ends[0]))" }
        guard index < ends.count else { return "\(text(ends[index - 1])) or more" }
        let (start, end) = (text(ends[index - 1]), text(ends[index]))
        let sameUnit = start.split(separator: " ").last == end.split(separator: " ").last
        return "\(sameUnit ? String(start.prefix { $0 != " " }) : start) to \(end)"
    }

    private static func text(_ seconds: UInt64) -> String { TimeText.duration(.seconds(seconds)) }
}
