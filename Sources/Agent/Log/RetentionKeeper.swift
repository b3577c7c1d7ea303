import EncounterLog
import FixedMemory

/// Erases segments that are older than the configuration allows, one at a time, whether they were fetched
/// or not. It also completes the newest segment when that is a day old, because otherwise the entries of a
/// quiet board would never become old enough.
struct RetentionKeeper {
    private let days: UInt16
    /// The newest segment is completed at this age.
    private let openDays: UInt16
    private let start: Instant
    private var next: Instant
    /// The offset from monotonic to the confirmed wall-clock time at the last check.
    private var offset: ClockOffset?

    private static var interval: Interval { .hours(1) }
    /// A clock that moved by more than this since the last check was set. Nothing is erased until it has
    /// been steady for an interval.
    private static var steady: Interval { .minutes(1) }

    /// - Parameter segmentCount: The number of segments on the medium. Completing segments early must not
    ///   cost more than half of them.
    init(days: UInt16, segmentCount: Int, now: Instant) {
        self.days = days
        let half = max(segmentCount / 2, 1)
        openDays = UInt16(clamping: max((Int(days) + half - 1) / half, 1))
        start = now
        next = now
    }

    func isDue(now: Instant) -> Bool { now >= next }

    /// Sets the log's day, and erases a segment if one is too old.
    ///
    /// - Parameter offset: The offset to the confirmed wall-clock time; nil while it is not confirmed.
    /// - Returns: whether the newest segment was completed, so that the next entry begins another.
    mutating func advance<Flash: FlashDevice & ~Copyable>(
        _ writer: inout LogWriter<Flash>, confirmed offset: ClockOffset?, now: Instant
    ) -> Bool {
        next = now + Self.interval
        writer.log.setDay(offset.map { LogDay(wallClock: now + $0) })
        let isSteady = Self.isSteady(self.offset, offset)
        self.offset = offset
        guard isSteady, days > 0, now > start else { return false }
        // A segment that cannot be erased is no longer served, and is counted. A failed commit is retried.
        do throws(LogError) {
            try writer.log.eraseStaleBlocks(
                olderThanDays: days, now: now, start: start)
            let isOld = writer.log.isOldestOlder(
                thanDays: days, now: now, start: start)
            if isOld {
                try writer.log.eraseOldest(.retention)
                next = now
            }
            let isOpenLong = writer.log.isNewestBegun(
                daysAgo: openDays, now: now, start: start)
            if isOpenLong { try writer.log.closeSegment() }
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
