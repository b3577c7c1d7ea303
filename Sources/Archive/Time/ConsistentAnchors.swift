import FixedMemory

/// Finds the largest group of anchors that agree with each other.
///
/// The anchors are processed in order of time. The agreeing anchors of a group leave an interval of possible
/// clock values: it widens with time, and each further anchor narrows it. An anchor that fits no group begins
/// a new one.
struct ConsistentAnchors {
    private struct Group {
        var members: [Int]
        var weight: Int
        var leastError: Int64
        var monotonicMilliseconds: Int64
        /// The moment of the last member that counted (``ConsistentAnchors/init(_:drift:spacing:weight:)``).
        var lastCounted: Int64
        /// The interval's bounds, relative to the first anchor.
        var earliest: Double
        var latest: Double
    }

    /// The limit on groups; with more of them the clock is erratic, and the lightest group is dropped.
    private static let groupLimit = 32

    /// The indices of the best group's anchors, ascending.
    let members: [Int]
    /// That group's weight.
    let weight: Int

    /// `anchors` are in order of monotonic time, each with an error; `weight` is the weight of an anchor. Of
    /// a group's members only those count that lie at least `spacing` behind the last one that counted.
    init(
        _ anchors: [Anchor], drift: ClockDrift, spacing: Interval = .zero,
        weight: (Anchor) -> Int = { _ in 1 }
    ) {
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
                if anchor.monotonicMilliseconds - groups[number].lastCounted >= Int64(spacing.milliseconds) {
                    groups[number].weight += weight(anchor)
                    groups[number].lastCounted = anchor.monotonicMilliseconds
                }
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
                        monotonicMilliseconds: anchor.monotonicMilliseconds,
                        lastCounted: anchor.monotonicMilliseconds, earliest: range.lowerBound,
                        latest: range.upperBound))
            }
        }
        // Among equal groups the more exact one wins, then the later one, because clocks improve with time.
        let best = groups.max {
            ($0.weight, -$0.leastError, $0.monotonicMilliseconds)
                < ($1.weight, -$1.leastError, $1.monotonicMilliseconds)
        }
        members = best?.members ?? []
        self.weight = best?.weight ?? 0
    }
}
