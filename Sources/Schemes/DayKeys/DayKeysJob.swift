import FixedMemory

/// Derives the keys of days from a secret or root, in steps, because Herald's chain is walked from its far
/// end.
public struct DayKeysJob: BitwiseCopyable, Sendable {
    private var made: DayKeys
    private var chain: HeraldSeedChain?
    private var root: CovidTracerRootKey?

    /// - Parameter dayCount: 1 through ``DayKeys/maximumDayCount``; fewer where the schedule ends.
    /// - Throws: `.beforeEpoch` or `.over` for a first day that has no key.
    public init(
        _ schedule: HeraldKeySchedule, firstDay: UInt32, dayCount: Int
    ) throws(HeraldScheduleError) {
        let first = try schedule.period(at: UInt64(firstDay) * 86_400_000).day
        let last = min(HeraldKeySchedule.lastDay, first + Self.bounded(dayCount) - 1)
        made = DayKeys(.herald, firstDay: firstDay, dayCount: last - first + 1)
        chain = schedule.chain(toDay: first)
        root = nil
    }

    public init(_ root: CovidTracerRootKey, firstDay: UInt32, dayCount: Int) {
        made = DayKeys(
            .covidTracer, firstDay: min(firstDay, DayKeys.latestDay), dayCount: Self.bounded(dayCount))
        chain = nil
        self.root = root
    }

    private static func bounded(_ dayCount: Int) -> Int { min(max(dayCount, 1), DayKeys.maximumDayCount) }

    /// Computes at most `hashLimit` hashes, and in addition those of the days' keys.
    /// - Returns: the keys; nil while there is more to do, and always if mbedTLS runs out of memory.
    public mutating func advance(hashLimit: Int) -> DayKeys? {
        if var chain {
            var allowance = hashLimit
            let isThere = chain.descend(toStepsBefore: made.dayCount - 1, &allowance)
            self.chain = chain
            guard isThere else { return nil }
            var index = made.dayCount
            while index > 0, let next = chain.next() {
                index -= 1
                made.set(next.key.span, at: index)
            }
        } else if let root {
            for index in 0..<made.dayCount {
                let date = CalendarDate(daysSince1970: made.firstDay + UInt32(truncatingIfNeeded: index))
                guard let key = try? root.dailyKey(of: date) else { return nil }
                made.set(key.bytes.span, at: index)
            }
        }
        return made
    }

    /// Overwrites the keys and all intermediate values.
    public mutating func wipe() {
        made.wipe()
        chain?.wipe()
        root = CovidTracerRootKey(Bytes())
    }
}
