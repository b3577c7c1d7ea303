/// Of anchors that contradict each other, those that most agree on.
///
/// They are gone through in order of time. A group of those that agree leaves room for a clock: an interval that widens
/// with time and is cut by each further anchor. An anchor that leaves no room in any group begins one of its own.
struct ConsistentAnchors {
    private struct Group {
        var members: [Int]
        var weight: Int
        var leastError: Int64
        var monotonicMilliseconds: Int64
        /// Relative to the first anchor.
        var earliest: Double
        var latest: Double
    }

    /// Groups beyond this many are those of a clock that nobody can make sense of; the lightest is forgotten.
    private static let groupLimit = 32

    /// Indices of the best group, ascending.
    let members: [Int]

    /// `anchors` in order of monotonic time, each with an error; `weight` is what each counts.
    init(_ anchors: [Anchor], drift: ClockDrift, weight: (Anchor) -> Int = { _ in 1 }) {
        let base = anchors.first.map { $0.wallClockMilliseconds - $0.monotonicMilliseconds } ?? 0
        var groups: [Group] = []
        for (index, anchor) in anchors.enumerated() {
            let offset = Double(anchor.wallClockMilliseconds - anchor.monotonicMilliseconds - base)
            let range = offset - Double(anchor.errorMilliseconds)...offset + Double(anchor.errorMilliseconds)
            var isMember = false
            for number in groups.indices {
                let elapsed = Double(anchor.monotonicMilliseconds - groups[number].monotonicMilliseconds)
                let earliest = max(groups[number].earliest + elapsed * drift.slowest, range.lowerBound)
                let latest = min(groups[number].latest + elapsed * drift.fastest, range.upperBound)
                guard earliest <= latest else { continue }
                isMember = true
                groups[number].members.append(index)
                groups[number].weight += weight(anchor)
                groups[number].leastError = min(groups[number].leastError, anchor.errorMilliseconds)
                groups[number].monotonicMilliseconds = anchor.monotonicMilliseconds
                groups[number].earliest = earliest
                groups[number].latest = latest
            }
            if !isMember {
                if groups.count == Self.groupLimit,
                    let worst = groups.indices.min(by: { groups[$0].weight < groups[$1].weight })
                {
                    groups.remove(at: worst)
                }
                groups.append(
                    Group(
                        members: [index], weight: weight(anchor), leastError: anchor.errorMilliseconds,
                        monotonicMilliseconds: anchor.monotonicMilliseconds, earliest: range.lowerBound,
                        latest: range.upperBound))
            }
        }
        // Of equals the more exact, then the later: a clock gets better with time.
        let best = groups.max {
            ($0.weight, -$0.leastError, $0.monotonicMilliseconds)
                < ($1.weight, -$1.leastError, $1.monotonicMilliseconds)
        }
        members = best?.members ?? []
    }
}
