import EncounterLog

/// Has segments erased that are older than the configuration allows, fetched or not, one at a time.
struct RetentionKeeper {
    private let days: UInt16
    private let startMilliseconds: UInt64
    private var nextMilliseconds: UInt64
    /// What to add to the monotonic clock to get the wall clock, as it was when it was last looked at.
    private var offsetMilliseconds: UInt64?

    private static var intervalMilliseconds: UInt64 { 3_600_000 }
    /// A clock that went by more than this meanwhile was set: nothing is erased until it has stood for an interval.
    private static var steadyMilliseconds: UInt64 { 60_000 }

    init(days: UInt16, nowMilliseconds now: UInt64) {
        self.days = days
        startMilliseconds = now
        nextMilliseconds = now
    }

    func isDue(nowMilliseconds now: UInt64) -> Bool { now >= nextMilliseconds }

    /// Tells the log what day it is, and erases a segment if one is too old.
    ///
    /// - Parameter wall: since 1970 UTC; nil while nobody knows.
    mutating func advance<Flash: FlashDevice & ~Copyable>(
        _ keeper: inout LogKeeper<Flash>, wallClockMilliseconds wall: UInt64?, nowMilliseconds now: UInt64
    ) {
        nextMilliseconds = now + Self.intervalMilliseconds
        keeper.log.note(day: wall.map { LogDay(wallClockMilliseconds: $0) })
        let offset = wall.map { $0 &- now }
        let isSteady = Self.isSteady(offsetMilliseconds, offset)
        offsetMilliseconds = offset
        guard isSteady, days > 0, now > startMilliseconds else { return }
        // One that cannot be erased is no longer handed out, and the log's counters say so.
        do throws(LogError) {
            try keeper.log.eraseRemains(
                olderThanDays: days, nowMilliseconds: now, startMilliseconds: startMilliseconds)
            guard
                keeper.log.isOldestOlder(
                    thanDays: days, nowMilliseconds: now, startMilliseconds: startMilliseconds)
            else { return }
            try keeper.log.eraseOldest(.retention)
        } catch {
            return
        }
        nextMilliseconds = now
    }

    private static func isSteady(_ before: UInt64?, _ after: UInt64?) -> Bool {
        guard let before, let after else { return before == nil && after == nil }
        let step = Int64(bitPattern: after &- before)
        return step.magnitude <= steadyMilliseconds
    }
}
