/// What is known of where one boot's monotonic time lies on the wall clock: at some moments it was not before, or not
/// after, some time. A bound widens with the distance from its moment, by the drift that the clock may have. What all
/// bounds allow at a moment is what may have been: nothing less, for a clock can be thought of that meets them all.
struct ClockBounds: Sendable, Equatable {
    struct Bound: Sendable, Equatable {
        var monotonicMilliseconds: Int64
        /// Since 1970 UTC; nil: nothing is known on that side.
        var earliestMilliseconds: Int64?
        var latestMilliseconds: Int64?
    }

    /// A moment with bounds, and what follows from all up to it, and from all behind it. Relative to `base`, so that
    /// fractions are not lost in large numbers; infinite where nothing is known.
    private struct Knot: Sendable, Equatable {
        let monotonicMilliseconds: Int64
        var earliestFromBefore = -Double.infinity
        var earliestFromBehind = -Double.infinity
        var latestFromBefore = Double.infinity
        var latestFromBehind = Double.infinity

        var earliest: Double { max(earliestFromBefore, earliestFromBehind) }
        var latest: Double { min(latestFromBefore, latestFromBehind) }
    }

    let drift: ClockDrift
    private let base: Int64
    /// In order of time.
    private let knots: [Knot]

    init(_ bounds: [Bound], drift: ClockDrift) {
        self.drift = drift
        let sorted = bounds.sorted { $0.monotonicMilliseconds < $1.monotonicMilliseconds }
        let times = sorted.lazy.compactMap { bound in
            (bound.earliestMilliseconds ?? bound.latestMilliseconds).map { $0 - bound.monotonicMilliseconds }
        }
        let base = times.first ?? 0
        self.base = base
        var knots = sorted.map { bound in
            func relative(_ time: Int64) -> Double { Double(time - bound.monotonicMilliseconds - base) }
            let earliest = bound.earliestMilliseconds.map(relative) ?? -.infinity
            let latest = bound.latestMilliseconds.map(relative) ?? .infinity
            return Knot(
                monotonicMilliseconds: bound.monotonicMilliseconds, earliestFromBefore: earliest,
                earliestFromBehind: earliest, latestFromBefore: latest, latestFromBehind: latest)
        }
        for index in knots.indices.dropFirst() {
            let last = knots[index - 1]
            let elapsed = Double(knots[index].monotonicMilliseconds - last.monotonicMilliseconds)
            knots[index].earliestFromBefore = max(
                knots[index].earliestFromBefore, last.earliestFromBefore + elapsed * drift.slowest)
            knots[index].latestFromBefore = min(
                knots[index].latestFromBefore, last.latestFromBefore + elapsed * drift.fastest)
        }
        for index in knots.indices.dropLast().reversed() {
            let next = knots[index + 1]
            let remaining = Double(next.monotonicMilliseconds - knots[index].monotonicMilliseconds)
            knots[index].earliestFromBehind = max(
                knots[index].earliestFromBehind, next.earliestFromBehind - remaining * drift.fastest)
            knots[index].latestFromBehind = min(
                knots[index].latestFromBehind, next.latestFromBehind - remaining * drift.slowest)
        }
        self.knots = knots
    }

    /// Whether some clock meets all bounds. A rounding's worth of contradiction is none.
    var isConsistent: Bool { knots.allSatisfy { $0.earliest <= $0.latest + 1 } }

    /// Rounded outwards; nil where nothing is known on that side.
    func earliestMilliseconds(at monotonic: Int64) -> Int64? {
        absolute(relative(at: monotonic).earliest.rounded(.down), at: monotonic)
    }

    func latestMilliseconds(at monotonic: Int64) -> Int64? {
        absolute(relative(at: monotonic).latest.rounded(.up), at: monotonic)
    }

    /// The middle of what may be, and how far it may be off; nil unless something is known on both sides.
    func middle(at monotonic: Int64) -> (milliseconds: Int64, errorMilliseconds: Int64)? {
        let (earliest, latest) = relative(at: monotonic)
        guard earliest.isFinite, latest.isFinite else { return nil }
        let middle = ((earliest + latest) / 2).rounded()
        // The last digits of what was computed say nothing.
        let error = (max(latest - middle, middle - earliest, 0) - 1e-6).rounded(.up)
        guard let time = absolute(middle, at: monotonic) else { return nil }
        return (time, Int64(min(max(error, 0), Self.largest)))
    }

    private func relative(at monotonic: Int64) -> (earliest: Double, latest: Double) {
        var low = 0
        var high = knots.count
        while low < high {
            let half = (low + high) / 2
            if knots[half].monotonicMilliseconds <= monotonic { low = half + 1 } else { high = half }
        }
        var earliest = -Double.infinity
        var latest = Double.infinity
        if low > 0 {
            let knot = knots[low - 1]
            let elapsed = Double(monotonic - knot.monotonicMilliseconds)
            earliest = max(earliest, knot.earliestFromBefore + elapsed * drift.slowest)
            latest = min(latest, knot.latestFromBefore + elapsed * drift.fastest)
        }
        if low < knots.count {
            let knot = knots[low]
            let remaining = Double(knot.monotonicMilliseconds - monotonic)
            earliest = max(earliest, knot.earliestFromBehind - remaining * drift.fastest)
            latest = min(latest, knot.latestFromBehind - remaining * drift.slowest)
        }
        return (earliest, latest)
    }

    /// Numbers in a log may be any. Cut here, what is made of them cannot overflow.
    private static let largest = 0x1p53

    private func absolute(_ relative: Double, at monotonic: Int64) -> Int64? {
        guard relative.isFinite else { return nil }
        let time = Int64(min(max(relative, -0x1p60), 0x1p60)) + base + monotonic
        return min(max(time, -Int64(Self.largest)), Int64(Self.largest))
    }
}
