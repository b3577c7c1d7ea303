import Archive
import FixedMemory

/// A time cut into parts of about equal length that begin at round local times.
public struct TimeBins: Sendable, Equatable {
    /// The maximum number of parts: a week by hours.
    static let maximumCount = 168

    /// The start of each part, and the end of the last one, in milliseconds since 1970 UTC.
    let edges: [Int64]
    /// "quarter of an hour", "3 hours", "day"
    let unit: String

    var count: Int { edges.count - 1 }
    var range: ClosedRange<TimelinePoint> {
        TimelinePoint(milliseconds: edges[0])...TimelinePoint(milliseconds: edges[count])
    }

    private static let steps: [(minutes: Int64, name: String)] = [
        (15, "quarter of an hour"), (30, "half hour"), (60, "hour"), (120, "2 hours"), (180, "3 hours"),
        (360, "6 hours"), (720, "12 hours"),
    ]
    private static let day: Int64 = 86_400_000

    init(covering range: ClosedRange<TimelinePoint>, zone: TimeText) {
        let start = range.lowerBound.milliseconds
        let end = max(range.upperBound.milliseconds, start + 1)
        let length = range.length.milliseconds
        let longest = UInt64(Self.maximumCount - 8)
        let step = Self.steps.first { UInt64($0.minutes) * 60_000 * longest >= length }
        if let step {
            edges = Self.edges(from: start, to: end, every: step.minutes * 60_000, zone)
            unit = step.name
        } else {
            let days = Int(clamping: length / UInt64(Self.day) / UInt64(Self.maximumCount - 2)) + 1
            edges = Self.edges(from: start, to: end, days: days, zone)
            unit = days == 1 ? "day" : "\(days) days"
        }
    }

    /// The part that a time lies in; the first or last one for a time outside.
    func index(of milliseconds: Int64) -> Int {
        var (low, high) = (0, count - 1)
        while low < high {
            let middle = (low + high + 1) / 2
            if edges[middle] <= milliseconds { low = middle } else { high = middle - 1 }
        }
        return low
    }

    func length(_ index: Int) -> Interval {
        TimelinePoint(milliseconds: edges[index + 1]).interval(
            since: TimelinePoint(milliseconds: edges[index]))
    }

    /// Calls `body` with each part that the range touches, and the length of the common time.
    func forEachPart(of range: ClosedRange<TimelinePoint>, _ body: (Int, Interval) -> Void) {
        let (start, end) = (range.lowerBound.milliseconds, range.upperBound.milliseconds)
        guard end > edges[0], start < edges[count] else { return }
        for index in self.index(of: start)...self.index(of: end) {
            let (first, last) = (max(start, edges[index]), min(end, edges[index + 1]))
            if last > first { body(index, Interval(milliseconds: UInt64(last - first))) }
        }
    }

    /// Days may have 23 or 25 hours, so each one begins anew.
    private static func edges(
        from start: Int64, to end: Int64, every step: Int64, _ zone: TimeText
    ) -> [Int64] {
        var edges: [Int64] = []
        var day = midnight(start, 0, zone)
        while true {
            let next = max(midnight(day, 1, zone), day + 1)
            for edge in stride(from: day, to: next, by: Int64.Stride(step)) where edge + step > start {
                edges.append(edge)
                if edge >= end, edges.count > 1 { return edges }
            }
            day = next
        }
    }

    private static func edges(from start: Int64, to end: Int64, days: Int, _ zone: TimeText) -> [Int64] {
        var edges = [midnight(start, 0, zone)]
        while edges[edges.count - 1] < end, edges.count <= maximumCount {
            let last = edges[edges.count - 1]
            edges.append(max(midnight(last, days, zone), last + 1))
        }
        return edges
    }

    private static func midnight(_ time: Int64, _ days: Int, _ zone: TimeText) -> Int64 {
        Int64(clamping: zone.startOfDay(WallClockTime(clamping: time), adding: days).milliseconds)
    }
}
