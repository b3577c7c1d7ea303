/// Places all starts of one board's agent in time: each by its own anchors, and all by their order in the log, for what
/// stands before in it was earlier. So a start without an anchor lies between its neighbours, and no time runs backwards.
struct BoardClockFit {
    private struct Start {
        let history: BootHistory
        /// From the first to the last moment of its monotonic clock that anything is known of; nil for none.
        let range: ClosedRange<Int64>?
        var selection: AnchorSelection
        /// Bounds that follow from the order.
        var order: [ClockBounds.Bound] = []

        var bounds: ClockBounds {
            ClockBounds(selection.bounds + order, drift: selection.drift)
        }
    }

    private var starts: [Start]

    init(_ history: BoardHistory) {
        starts = history.boots.map { boot in
            Start(history: boot, range: boot.knownMoments, selection: AnchorSelection(boot.anchors))
        }
        rejectWhatContradictsTheOrder()
        boundFromBefore()
        boundFromBehind()
    }

    /// One for each start, in the log's order.
    func placements() -> [BootPlacement] {
        // Middles of what may be are in order. What an unchecked clock says need not be: it is held between them.
        let middles = starts.map { BootPlacement($0.history, $0.selection, bounds: $0.bounds, guess: nil) }
        var nextStart = [Int64?](repeating: nil, count: starts.count)
        var known: Int64?
        for index in starts.indices.reversed() {
            nextStart[index] = known
            if middles[index].isOnWallClock, let range = starts[index].range {
                known = middles[index].milliseconds(at: range.lowerBound)
            }
        }
        var result: [BootPlacement] = []
        var lastEnd: Int64?
        for (index, start) in starts.enumerated() {
            var placement = middles[index]
            if let said = start.selection.uncheckedOffsetMilliseconds, start.selection.bounds.isEmpty,
                let range = start.range
            {
                let most = nextStart[index].map { $0 - range.upperBound } ?? .max
                let least = lastEnd.map { $0 - range.lowerBound } ?? .min
                placement = BootPlacement(
                    start.history, start.selection, bounds: start.bounds, guess: max(min(said, most), least))
            }
            if placement.isOnWallClock, let range = start.range {
                lastEnd = max(lastEnd ?? .min, placement.milliseconds(at: range.upperBound))
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

    /// Starts of the agent whose anchors can all be right.
    private struct Chain {
        var weight: Int
        /// The last of them ended not before this. Beyond 2^53 fractions are of no interest.
        var earliestEnd: Double
        /// The start before the last in the chain.
        var before: Int?
    }

    /// How many starts back a chain may go on from: more at odds in a row than this are not made sense of.
    private static let reach = 500

    /// Starts whose anchors cannot all be right, for the later would have been over before the earlier ended: the
    /// heaviest chain of them that is in order is believed. A host's anchors weigh more than any system clock's.
    private mutating func rejectWhatContradictsTheOrder() {
        let lengths = starts.map { start in
            start.range.map { Double($0.upperBound - $0.lowerBound) * (1 + ClockDrift.steered.slowest) } ?? 0
        }
        // Of all starts before each.
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
                // A rounding's worth of contradiction is none.
                guard start <= Double(latest) + 2 else { continue }
                best = Chain(
                    weight: chain.weight + weight,
                    earliestEnd: max(Double(earliest), start + lengths[index]), before: before)
                // All before it is in it: there is no heavier one.
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

extension BoardHistory {
    /// Where each start of the agent lies in time, in the order of `boots`.
    public func placements() -> [BootPlacement] { BoardClockFit(self).placements() }
}

extension BootHistory {
    /// From the first to the last moment that anything is known of; nil when nothing is.
    public var knownMoments: ClosedRange<Int64>? {
        var moments = recordedMoments
        moments += ownIdentities.map(\.monotonicMilliseconds) + messages.map(\.monotonicMilliseconds)
        for track in tracks {
            moments += track.identifications.map(\.monotonicMilliseconds)
            moments += [track.readings.first, track.readings.last].compactMap { $0?.milliseconds }
        }
        if let parameters { moments.append(parameters.startMilliseconds) }
        // A reading of the board's clock shows that it ran then. That it ran before the rest, it need not be made to show.
        let readings = anchors.map(\.monotonicMilliseconds)
        guard let first = moments.min() ?? readings.min() else { return nil }
        return first...max(first, moments.max() ?? first, readings.max() ?? first)
    }

    /// The times of what the board recorded while it listened.
    var recordedMoments: [Int64] {
        var moments = coverage.flatMap { [$0.startMilliseconds, $0.endMilliseconds] }
        moments += radioIncidents.map(\.monotonicMilliseconds)
        for track in tracks {
            moments += [track.firstSightingMilliseconds, track.lastReadingMilliseconds].compactMap(\.self)
            moments += [track.samples.first?.startMilliseconds, track.samples.last?.endMilliseconds]
                .compactMap(\.self)
        }
        return moments
    }
}
