/// When a board has served which payload, on the wall clock; of each time as much as is certain.
struct ServedPayloads {
    private var times: [[UInt8]: [Range<Int64>]] = [:]

    /// How wrong a clock may be that nobody has checked.
    private static let uncheckedErrorMilliseconds: Int64 = 60_000

    init(_ history: BoardHistory) {
        for (boot, placement) in zip(history.boots, history.placements()) where placement.isOnWallClock {
            guard let last = boot.knownMoments?.upperBound else { continue }
            for (own, end) in boot.heraldPeriods(until: last) {
                guard let payload = own.identity?.payload else { continue }
                let earliest = Self.time(own.monotonicMilliseconds, placement, sign: 1)
                let latest = Self.time(end, placement, sign: -1)
                if earliest < latest { times[payload, default: []].append(earliest..<latest) }
            }
        }
    }

    /// Whether one payload was served by both at one time.
    func overlap(_ other: ServedPayloads) -> Bool {
        times.contains { payload, ranges in
            let others = other.times[payload] ?? []
            return ranges.contains { range in others.contains { $0.overlaps(range) } }
        }
    }

    /// Later (`sign` 1) or earlier (-1) than it can have been.
    private static func time(_ monotonic: Int64, _ placement: BootPlacement, sign: Int64) -> Int64 {
        let error = placement.errorMilliseconds(at: monotonic) ?? uncheckedErrorMilliseconds
        // Whoever has written the log may have written any time.
        let (time, overflow) = placement.milliseconds(at: monotonic)
            .addingReportingOverflow(sign * min(error, .max / 2))
        return overflow ? (sign > 0 ? .max : .min) : time
    }
}
