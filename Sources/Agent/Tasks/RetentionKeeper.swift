import EncounterLog
import FixedMemory

/// Has segments erased that are older than the configuration allows, fetched or not, one at a time. So that
/// a quiet log has such, the newest segment is closed when it is a day old.
struct RetentionKeeper {
    private let days: UInt16
    /// A segment is open for so long at most.
    private let openDays: UInt16
    private let start: Instant
    private var next: Instant
    /// What to add to the monotonic clock to get the wall clock, as it was when it was last looked at.
    private var offset: ClockOffset?

    private static var interval: Interval { .hours(1) }
    /// A clock that went by more than this meanwhile was set: nothing is erased until it has stood for an
    /// interval.
    private static var steady: Interval { .minutes(1) }

    /// - Parameter segmentCount: of the medium. Closing segments early must not cost more than half of
    ///   them.
    init(days: UInt16, segmentCount: Int, now: Instant) {
        self.days = days
        let half = max(segmentCount / 2, 1)
        openDays = UInt16(clamping: max((Int(days) + half - 1) / half, 1))
        start = now
        next = now
    }

    func isDue(now: Instant) -> Bool { now >= next }

    /// Tells the log what day it is, and erases a segment if one is too old. True if the newest was closed:
    /// what is appended next begins another.
    ///
    /// - Parameter wall: nil while nobody knows.
    mutating func advance<Flash: FlashDevice & ~Copyable>(
        _ keeper: inout LogKeeper<Flash>, wallClock wall: WallClockTime?, now: Instant
    ) -> Bool {
        next = now + Self.interval
        keeper.log.note(day: wall.map { LogDay(wallClock: $0) })
        let offset = wall.map { ClockOffset(of: $0, at: now) }
        let isSteady = Self.isSteady(self.offset, offset)
        self.offset = offset
        guard isSteady, days > 0, now > start else { return false }
        // What cannot be erased is no longer handed out, and the log's counters say so; what cannot be
        // committed is tried again.
        do throws(LogError) {
            try keeper.log.eraseStaleBlocks(olderThanDays: days, now: now, start: start)
            let isOld = keeper.log.isOldestOlder(thanDays: days, now: now, start: start)
            if isOld {
                try keeper.log.eraseOldest(.retention)
                next = now
            }
            let isOpenLong = keeper.log.isNewestBegun(daysAgo: openDays, now: now, start: start)
            if isOpenLong { try keeper.log.closeSegment() }
            return isOpenLong
        } catch {
            return false
        }
    }

    private static func isSteady(_ before: ClockOffset?, _ after: ClockOffset?) -> Bool {
        guard let before, let after else { return before == nil && after == nil }
        return after.distance(from: before) <= steady
    }
}
