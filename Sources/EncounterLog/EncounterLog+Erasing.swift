import FixedMemory

// Acknowledgement of what a host has stored, and erasure of segments before the ring reuses their slots.

extension EncounterLog where Flash: ~Copyable {
    /// The position up to which the log is known to be stored elsewhere. It survives a power cut from the
    /// next commit on.
    public var syncedThrough: LogPosition { ring.syncedThrough }

    /// Records that the log is stored elsewhere up to `position`; every later page states it.
    /// Acknowledging the current position again has no effect.
    ///
    /// Throws `.noSuchSegment` if the position is outside what is retained, or before the one recorded.
    public mutating func acknowledge(_ position: LogPosition) throws(LogError) {
        guard let oldest = ring.map.oldestRetained, position.segmentOrdinal >= oldest,
            position >= ring.syncedThrough, position <= head.position,
            Int(truncatingIfNeeded: position.byteOffset) <= geometry.segmentByteCount
        else { throw .noSuchSegment }
        ring.syncedThrough = position
    }

    /// The oldest segment that can be erased: any but the newest, to which the log still appends.
    @inline(never)
    public var oldestErasable: UInt32? {
        guard let oldest = ring.map.oldestRetained, oldest != ring.map.newestOrdinal else { return nil }
        return oldest
    }

    /// Whether all of a segment is known to be stored elsewhere. False for the segment in which the
    /// acknowledged position lies: part of it may be missing.
    public func isAcknowledged(segment ordinal: UInt32) -> Bool { ring.isAcknowledged(ordinal) }

    /// Erases the oldest segment, unless it is the only one; ``takeGap(now:)`` then reports the
    /// erased range.
    ///
    /// Throws `.flash` if an erasure failed. If the segment's own erasure failed, the segment is no longer
    /// served. If stale blocks could not be erased before it, the segment is unchanged.
    public mutating func eraseOldest(_ cause: GapCause) throws(LogError) {
        guard let oldest = oldestErasable else { return }
        try ring.erase(oldest, cause)
    }

    /// Whether everything in the oldest segment is older than `days` days. The segment was complete when the
    /// next one began, so the next one's age decides.
    public mutating func isOldestOlder(thanDays days: UInt16, now: Instant, start: Instant) -> Bool {
        guard let oldest = oldestErasable, let next = ring.map.retained(after: oldest) else { return false }
        return isBegun(next, beforeDays: days, now: now, start: start)
    }

    /// Erases stale blocks in the newest segment's slot, after its last page, if all are older than `days`
    /// days. They predate the oldest segment, and an entry has already reported them as erased.
    public mutating func eraseStaleBlocks(
        olderThanDays days: UInt16, now: Instant, start: Instant
    ) throws(LogError) {
        guard ring.isOverwritten, let oldest = ring.map.oldestRetained,
            isBegun(oldest, beforeDays: days, now: now, start: start)
        else { return }
        try ring.eraseStaleBlocks()
    }

    /// Whether the segment began more than `days` days ago.
    @inline(never)
    private mutating func isBegun(
        _ ordinal: UInt32, beforeDays days: UInt16, now: Instant, start: Instant
    ) -> Bool {
        isBegun(ordinal, daysAgo: days, dates: Int(days) + 1, now: now, start: start) ?? false
    }

    /// Whether the newest segment was begun `days` days ago.
    public mutating func isNewestBegun(daysAgo days: UInt16, now: Instant, start: Instant) -> Bool {
        guard let newest = ring.map.newestOrdinal else { return false }
        return isBegun(newest, daysAgo: days, dates: Int(days), now: now, start: start)
            ?? (now >= start + .days(UInt64(days)))
    }

    /// Whether the segment began at least `days` times 24 hours ago or, if an earlier boot began it, at least
    /// `dates` dates ago; nil if unknown.
    ///
    /// Within this boot monotonic time decides alone, because it is exact and no clock is: the predecessor's
    /// last entry has the time. A segment of an earlier boot has a date if that was confirmed. It counts as
    /// begun when this boot started if either date is unknown: it cannot be younger.
    @inline(never)
    private mutating func isBegun(
        _ ordinal: UInt32, daysAgo days: UInt16, dates: Int, now: Instant, start: Instant
    ) -> Bool? {
        guard let closing = ring.closing(before: ordinal) else { return nil }
        let age = Interval.days(UInt64(days))
        if closing.bootIdentifier == bootIdentifier {
            guard let last = closing.summary?.last else { return nil }
            return now >= (last.bootIdentifier == bootIdentifier ? last.instant : start) + age
        }
        if let today = day, let begun = closing.day, begun.age(on: today) >= dates { return true }
        return now >= start + age
    }

    /// Completes the newest segment, so that its entries can age: the next page begins another. Commits
    /// entries in memory first.
    public mutating func closeSegment() throws(LogError) {
        try commit()
        if ring.map.next.ordinal == ring.map.newestOrdinal { ring.map.leaveNewest() }
    }

    /// The erased range since the last call, to be logged. It omits acknowledged segments that merely made
    /// room.
    public mutating func takeGap(now: Instant) -> GapEntry? {
        guard var gap = ring.gap else { return nil }
        ring.gap = nil
        gap.instant = now
        return gap
    }
}
