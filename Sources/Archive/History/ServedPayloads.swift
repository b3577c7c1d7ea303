import FixedMemory

/// The wall times at which a board certainly served each payload.
struct ServedPayloads {
    private var times: [[UInt8]: [Range<TimelinePoint>]] = [:]

    init(_ history: BoardHistory) {
        for (boot, placement) in zip(history.boots, history.placements()) where placement.isOnWallClock {
            guard let last = boot.knownMoments?.upperBound else { continue }
            for (own, end) in boot.heraldPeriods(until: last) {
                guard let payload = own.identity?.payload else { continue }
                let earliest = placement.point(at: own.instant) + placement.assumedError(at: own.instant)
                let latest = placement.point(at: end) - placement.assumedError(at: end)
                if earliest < latest { times[payload, default: []].append(earliest..<latest) }
            }
        }
    }

    /// True if both boards served one payload at the same time.
    func overlap(_ other: ServedPayloads) -> Bool {
        times.contains { payload, ranges in
            let others = other.times[payload] ?? []
            return ranges.contains { range in others.contains { $0.overlaps(range) } }
        }
    }
}

extension BootPlacement {
    /// The assumed error of a clock that nobody has checked.
    private static let uncheckedError = Interval.minutes(1)

    fileprivate func assumedError(at instant: Instant) -> Interval {
        error(at: instant) ?? Self.uncheckedError
    }
}
