import EncounterLog

/// Has segments erased that are older than the configuration allows, fetched or not, one at a time. So that
/// a quiet log has such, the newest segment is closed when it is a day old.
struct RetentionKeeper {
    private let days: UInt16
    /// A segment is open for so long at most.
    private let openDays: UInt16
    private let startMilliseconds: UInt64
    private var nextMilliseconds: UInt64
    /// What to add to the monotonic clock to get the wall clock, as it was when it was last looked at.
    private var offsetMilliseconds: UInt64?

    private static var intervalMilliseconds: UInt64 { 3_600_000 }
    /// A clock that went by more than this meanwhile was set: nothing is erased until it has stood for an
    /// interval.
    private static var steadyMilliseconds: UInt64 { 60_000 }

    /// - Parameter segmentCount: of the medium. Closing segments early must not cost more than half of
    ///   them.
    init(days: UInt16, segmentCount: Int, nowMilliseconds now: UInt64) {
        self.days = days
        let half = max(segmentCount / 2, 1)
        openDays = UInt16(clamping: max((Int(days) + half - 1) / half, 1))
        startMilliseconds = now
        nextMilliseconds = now
    }

    func isDue(nowMilliseconds now: UInt64) -> Bool { now >= nextMilliseconds }

    /// Tells the log what day it is, and erases a segment if one is too old. True if the newest was closed:
    /// what is appended next begins another.
    ///
    /// - Parameter wall: since 1970 UTC; nil while nobody knows.
    mutating func advance<Flash: FlashDevice & ~Copyable>(
        _ keeper: inout LogKeeper<Flash>, wallClockMilliseconds wall: UInt64?, nowMilliseconds now: UInt64
    ) -> Bool {
        nextMilliseconds = now + Self.intervalMilliseconds
        keeper.log.note(day: wall.map { LogDay(wallClockMilliseconds: $0) })
        let offset = wall.map { $0 &- now }
        let isSteady = Self.isSteady(offsetMilliseconds, offset)
        offsetMilliseconds = offset
        guard isSteady, days > 0, now > startMilliseconds else { return false }
        // What cannot be erased is no longer handed out, and the log's counters say so; what cannot be
        // committed is tried again.
        do throws(LogError) {
            try keeper.log.eraseStaleBlocks(
                olderThanDays: days, nowMilliseconds: now, startMilliseconds: startMilliseconds)
            let isOld = keeper.log.isOldestOlder(
                thanDays: days, nowMilliseconds: now, startMilliseconds: startMilliseconds)
            if isOld {
                try keeper.log.eraseOldest(.retention)
                nextMilliseconds = now
            }
            let isOpenLong = keeper.log.isNewestBegun(
                daysAgo: openDays, nowMilliseconds: now, startMilliseconds: startMilliseconds)
            if isOpenLong { try keeper.log.closeSegment() }
            return isOpenLong
        } catch {
            return false
        }
    }

    private static func isSteady(_ before: UInt64?, _ after: UInt64?) -> Bool {
        guard let before, let after else { return before == nil && after == nil }
        let step = Int64(bitPattern: after &- before)
        return step.magnitude <= steadyMilliseconds
    }
}
