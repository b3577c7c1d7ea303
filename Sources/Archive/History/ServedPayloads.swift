/// The wall times at which a board certainly served each payload.
struct ServedPayloads {
    private var times: [[UInt8]: [Range<Int64>]] = [:]

    /// The assumed error of a clock that nobody has checked.
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

    /// True if both boards served one payload at the same time.
    func overlap(_ other: ServedPayloads) -> Bool {
        times.contains { payload, ranges in
            let others = other.times[payload] ?? []
            return ranges.contains { range in others.contains { $0.overlaps(range) } }
        }
    }

    /// A time that is certainly not before (`sign` 1) or not after (`sign` -1) the moment.
    private static func time(_ monotonic: Int64, _ placement: BootPlacement, sign: Int64) -> Int64 {
        let error = placement.errorMilliseconds(at: monotonic) ?? uncheckedErrorMilliseconds
        // The log is untrusted input, so any time may occur.
        let (time, overflow) = placement.milliseconds(at: monotonic)
            .addingReportingOverflow(sign * min(error, .max / 2))
        return overflow ? (sign > 0 ? .max : .min) : time
    }
}
