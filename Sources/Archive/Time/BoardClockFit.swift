import FixedMemory

/// Places all boots of one board in time: each by its own anchors, and all by their order in the log, which
/// is the order of time. A boot without anchors therefore lies between its neighbours, and no time runs
/// backwards.
struct BoardClockFit {
    private struct Start {
        let clock: BootClock
        /// The known moments, in milliseconds.
        let range: ClosedRange<Int64>?
        var selection: AnchorSelection
        /// The bounds that follow from the order of boots.
        var order: [ClockBounds.Bound] = []

        var bounds: ClockBounds {
            ClockBounds(selection.bounds + order, drift: selection.drift)
        }
    }

    private var starts: [Start]

    /// - Parameter boots: in log order.
    init(_ boots: [BootClock]) {
        starts = boots.map { boot in
            Start(
                clock: boot, range: boot.knownMoments.map { $0.lowerBound.fitted...$0.upperBound.fitted },
                selection: AnchorSelection(boot.anchors))
        }
        rejectWhatContradictsTheOrder()
        boundFromBefore()
        boundFromBehind()
    }

    /// One placement for each boot, in log order.
    func placements() -> [BootPlacement] {
        // The midpoints of the bounds are in order. Times of an unchecked clock may not be, so they are
        // clamped between their neighbours.
        let middles = starts.map { BootPlacement($0.clock, $0.selection, bounds: $0.bounds, guess: nil) }
        var nextStart = [Int64?](repeating: nil, count: starts.count)
        var known: Int64?
        for index in starts.indices.reversed() {
            nextStart[index] = known
            if middles[index].isOnWallClock, let range = starts[index].range {
                known = middles[index].point(at: Instant(clamping: range.lowerBound)).milliseconds
            }
        }
        var result: [BootPlacement] = []
        var lastEnd: Int64?
        for (index, start) in starts.enumerated() {
            var placement = middles[index]
            if let said = start.selection.uncheckedOffset, start.selection.bounds.isEmpty,
                let range = start.range
            {
                let most = nextStart[index].map { $0 - range.upperBound } ?? .max
                let least = lastEnd.map { $0 - range.lowerBound } ?? .min
                placement = BootPlacement(
                    start.clock, start.selection, bounds: start.bounds, guess: max(min(said, most), least))
            }
            if placement.isOnWallClock, let range = start.range {
                lastEnd = max(
                    lastEnd ?? .min, placement.point(at: Instant(clamping: range.upperBound)).milliseconds)
            }
            result.append(placement)
        }
        return result
    }

    // MARK: The order

    private mutating func boundFromBefore() {
        var earliest: Int64?
        for index in starts.indices {
            guard let range = starts[index].range else { continue }
            if let earliest {
                starts[index].order.append(
                    ClockBounds.Bound(
                        monotonicMilliseconds: range.lowerBound, earliestMilliseconds: earliest,
                        latestMilliseconds: nil))
            }
            earliest = starts[index].bounds.earliestMilliseconds(at: range.upperBound)
        }
    }

    private mutating func boundFromBehind() {
        var latest: Int64?
        for index in starts.indices.reversed() {
            guard let range = starts[index].range else { continue }
            if let latest {
                starts[index].order.append(
                    ClockBounds.Bound(
                        monotonicMilliseconds: range.upperBound, earliestMilliseconds: nil,
                        latestMilliseconds: latest))
            }
            latest = starts[index].bounds.latestMilliseconds(at: range.lowerBound)
        }
    }

    /// A sequence of boots whose anchors can all be right.
    private struct Chain {
        var weight: Int
        /// The earliest possible end of the chain's last boot. Beyond 2^53 fractions do not matter.
        var earliestEnd: Double
        /// The boot before the last one in the chain.
        var before: Int?
    }

    /// How many boots a chain may look back. Longer runs of contradicting boots are not resolved.
    private static let reach = 500

    /// Rejects anchors that contradict the order: a later boot would have ended before an earlier one. The
    /// heaviest consistent chain of boots is trusted. One host-anchored boot outweighs all boots anchored by
    /// system clocks.
    private mutating func rejectWhatContradictsTheOrder() {
        let lengths = starts.map { start in
            start.range.map { Double($0.upperBound - $0.lowerBound) * (1 + ClockDrift.steered.slowest) } ?? 0
        }
        // The summed lengths of all boots before each boot.
        var passed = [0.0]
        for length in lengths { passed.append((passed.last ?? 0) + length) }
        let anchored = starts.indices.filter {
            !starts[$0].selection.bounds.isEmpty && starts[$0].range != nil
        }
        let hostWeight = 1 + anchored.count { !starts[$0].selection.hasHost }
        var chains: [Int: Chain] = [:]
        var weightSoFar = 0
        for (place, index) in anchored.enumerated() {
            let clock = starts[index].bounds
            guard let range = starts[index].range,
                let earliest = clock.earliestMilliseconds(at: range.upperBound),
                let latest = clock.latestMilliseconds(at: range.lowerBound)
            else { continue }
            let weight = starts[index].selection.hasHost ? hostWeight : 1
            weightSoFar += weight
            var best = Chain(weight: weight, earliestEnd: Double(earliest), before: nil)
            for before in anchored[max(0, place - Self.reach)..<place].reversed() {
                guard let chain = chains[before], chain.weight + weight > best.weight else { continue }
                let start = chain.earliestEnd + passed[index] - passed[before + 1]
                // A contradiction within rounding error does not count.
                guard start <= Double(latest) + 2 else { continue }
                best = Chain(
                    weight: chain.weight + weight,
                    earliestEnd: max(Double(earliest), start + lengths[index]), before: before)
                // This chain contains all earlier anchored boots, so no other can be heavier.
                if best.weight == weightSoFar { break }
            }
            chains[index] = best
        }
        var kept: Set<Int> = []
        var last = chains.max { ($0.value.weight, $0.key) < ($1.value.weight, $1.key) }?.key
        while let index = last {
            kept.insert(index)
            last = chains[index]?.before
        }
        for index in anchored where !kept.contains(index) { starts[index].selection.reject() }
    }
}
