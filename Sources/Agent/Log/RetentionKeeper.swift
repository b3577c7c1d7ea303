import EncounterLog

/// Erases segments that are older than the configuration allows, one at a time, whether they were fetched
/// or not. It also completes the newest segment when that is a day old, because otherwise the entries of a
/// quiet board would never become old enough.
struct RetentionKeeper {
    private let days: UInt16
    /// The newest segment is completed at this age.
    private let openDays: UInt16
    private let startMilliseconds: UInt64
    private var nextMilliseconds: UInt64
    /// The offset from monotonic to wall-clock time at the last check.
    private var offsetMilliseconds: UInt64?

    private static var intervalMilliseconds: UInt64 { 3_600_000 }
    /// A clock that moved by more than this since the last check was set. Nothing is erased until it has
    /// been steady for an interval.
    private static var steadyMilliseconds: UInt64 { 60_000 }

    /// - Parameter segmentCount: The number of segments on the medium. Completing segments early must not
    ///   cost more than half of them.
    init(days: UInt16, segmentCount: Int, nowMilliseconds now: UInt64) {
        self.days = days
        let half = max(segmentCount / 2, 1)
        openDays = UInt16(clamping: max((Int(days) + half - 1) / half, 1))
        startMilliseconds = now
        nextMilliseconds = now
    }

    func isDue(nowMilliseconds now: UInt64) -> Bool { now >= nextMilliseconds }

    /// Sets the log's day, and erases a segment if one is too old.
    ///
    /// - Parameter wall: Since 1970 UTC; nil while the board does not know the time.
    /// - Returns: whether the newest segment was completed, so that the next entry begins another.
    mutating func advance<Flash: FlashDevice & ~Copyable>(
        _ writer: inout LogWriter<Flash>, wallClockMilliseconds wall: UInt64?, nowMilliseconds now: UInt64
    ) -> Bool {
        nextMilliseconds = now + Self.intervalMilliseconds
        writer.log.note(day: wall.map { LogDay(wallClockMilliseconds: $0) })
        let offset = wall.map { $0 &- now }
        let isSteady = Self.isSteady(offsetMilliseconds, offset)
        offsetMilliseconds = offset
        guard isSteady, days > 0, now > startMilliseconds else { return false }
        // A segment that cannot be erased is no longer served, and is counted. A failed commit is retried.
        do throws(LogError) {
            try writer.log.eraseStaleBlocks(
                olderThanDays: days, nowMilliseconds: now, startMilliseconds: startMilliseconds)
            let isOld = writer.log.isOldestOlder(
                thanDays: days, nowMilliseconds: now, startMilliseconds: startMilliseconds)
            if isOld {
                try writer.log.eraseOldest(.retention)
                nextMilliseconds = now
            }
            let isOpenLong = writer.log.isNewestBegun(
                daysAgo: openDays, nowMilliseconds: now, startMilliseconds: startMilliseconds)
            if isOpenLong { try writer.log.closeSegment() }
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
