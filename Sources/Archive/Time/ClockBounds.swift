/// Bounds of one boot's monotonic time on the wall clock: at given moments, the wall time was not before or
/// not after a given time. A bound widens with the distance from its moment, by the clock's possible drift.
/// The times that all bounds admit at a moment are exactly the possible ones, because some clock within the
/// drift satisfies them all.
struct ClockBounds: Sendable, Equatable {
    struct Bound: Sendable, Equatable {
        var monotonicMilliseconds: Int64
        /// Since 1970 UTC; nil if nothing is known on that side.
        var earliestMilliseconds: Int64?
        var latestMilliseconds: Int64?
    }

    /// A moment with its bounds, combined with those of all moments up to it and of all moments after it.
    /// Values are relative to `base`, so that large numbers do not lose fractions; they are infinite if
    /// unbounded.
    private struct Knot: Sendable, Equatable {
        let monotonicMilliseconds: Int64
        var earliestFromBefore = -Double.infinity
        var earliestFromBehind = -Double.infinity
        var latestFromBefore = Double.infinity
        var latestFromBehind = Double.infinity

        var earliest: Double { max(earliestFromBefore, earliestFromBehind) }
        var latest: Double { min(latestFromBefore, latestFromBehind) }

        /// Adds what follows from the knot before.
        mutating func combine(after last: Knot, _ drift: ClockDrift) {
            let elapsed = Double(monotonicMilliseconds - last.monotonicMilliseconds)
            earliestFromBefore = max(earliestFromBefore, last.earliestFromBefore + elapsed * drift.slowest)
            latestFromBefore = min(latestFromBefore, last.latestFromBefore + elapsed * drift.fastest)
        }

        /// Adds what follows from the knot behind.
        mutating func combine(before next: Knot, _ drift: ClockDrift) {
            let remaining = Double(next.monotonicMilliseconds - monotonicMilliseconds)
            earliestFromBehind = max(earliestFromBehind, next.earliestFromBehind - remaining * drift.fastest)
            latestFromBehind = min(latestFromBehind, next.latestFromBehind - remaining * drift.slowest)
        }
    }

    let drift: ClockDrift
    private let base: Int64
    /// In order of time.
    private let knots: [Knot]

    init(_ bounds: [Bound], drift: ClockDrift) {
        self.drift = drift
        let all = bounds.sorted { $0.monotonicMilliseconds < $1.monotonicMilliseconds }
        // Bounds that follow from others change nothing. Without them a clock equals itself before, although
        // the log has grown.
        let needed = Self.neededPlaces(Self.combined(all, base: Self.base(of: all), drift), drift)
        let sorted = needed.map { all[$0] }
        base = Self.base(of: sorted)
        knots = Self.combined(sorted, base: base, drift)
    }

    private static func base(of sorted: [Bound]) -> Int64 {
        sorted.lazy.compactMap { bound in
            (bound.earliestMilliseconds ?? bound.latestMilliseconds).map { $0 - bound.monotonicMilliseconds }
        }.first ?? 0
    }

    /// The knots of bounds in order of time.
    private static func combined(_ sorted: [Bound], base: Int64, _ drift: ClockDrift) -> [Knot] {
        var knots = sorted.map { bound in
            func relative(_ time: Int64) -> Double { Double(time - bound.monotonicMilliseconds - base) }
            let earliest = bound.earliestMilliseconds.map(relative) ?? -.infinity
            let latest = bound.latestMilliseconds.map(relative) ?? .infinity
            return Knot(
                monotonicMilliseconds: bound.monotonicMilliseconds, earliestFromBefore: earliest,
                earliestFromBehind: earliest, latestFromBefore: latest, latestFromBehind: latest)
        }
        for index in knots.indices.dropFirst() { knots[index].combine(after: knots[index - 1], drift) }
        for index in knots.indices.dropLast().reversed() {
            knots[index].combine(before: knots[index + 1], drift)
        }
        return knots
    }

    /// The places of the knots whose own bounds do not follow from those of other knots.
    private static func neededPlaces(_ knots: [Knot], _ drift: ClockDrift) -> [Int] {
        var needed: [Int] = []
        for index in knots.indices {
            let knot = knots[index]
            var others = Knot(monotonicMilliseconds: knot.monotonicMilliseconds)
            if let last = needed.last { others.combine(after: knots[last], drift) }
            if index + 1 < knots.count { others.combine(before: knots[index + 1], drift) }
            if knot.earliest > others.earliest || knot.latest < others.latest { needed.append(index) }
        }
        return needed
    }

    func add(to facts: inout FactDigest) {
        facts.add(drift.slowest)
        facts.add(drift.fastest)
        facts.add(base)
        for knot in knots {
            facts.add(knot.monotonicMilliseconds)
            facts.add(knot.earliestFromBefore)
            facts.add(knot.earliestFromBehind)
            facts.add(knot.latestFromBefore)
            facts.add(knot.latestFromBehind)
        }
    }

    /// True if some clock within the drift satisfies all bounds, apart from rounding error.
    var isConsistent: Bool { knots.allSatisfy { $0.earliest <= $0.latest + 1 } }

    /// The bound rounded outwards; nil if nothing is known on that side.
    func earliestMilliseconds(at monotonic: Int64) -> Int64? {
        absolute(relative(at: monotonic).earliest.rounded(.down), at: monotonic)
    }

    func latestMilliseconds(at monotonic: Int64) -> Int64? {
        absolute(relative(at: monotonic).latest.rounded(.up), at: monotonic)
    }

    /// The midpoint of the possible times and its error; nil unless both sides are bounded.
    func middle(at monotonic: Int64) -> (milliseconds: Int64, errorMilliseconds: Int64)? {
        let (earliest, latest) = relative(at: monotonic)
        guard earliest.isFinite, latest.isFinite else { return nil }
        let middle = ((earliest + latest) / 2).rounded()
        // The last digits of the computed value are rounding error.
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

    /// The log is untrusted input, so any number may occur; clamping here prevents overflow later.
    private static let largest = 0x1p53

    private func absolute(_ relative: Double, at monotonic: Int64) -> Int64? {
        guard relative.isFinite else { return nil }
        let time = Int64(min(max(relative, -0x1p60), 0x1p60)) + base + monotonic
        return min(max(time, -Int64(Self.largest)), Int64(Self.largest))
    }
}
