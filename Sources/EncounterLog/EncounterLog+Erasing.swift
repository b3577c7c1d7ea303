import FixedMemory

// What may go: how far the log is known to be safe elsewhere, and segments erased before the ring comes round.

extension EncounterLog where Flash: ~Copyable {
    /// So far somebody has said that the log is safe elsewhere. It survives a power cut from the next commit on.
    public var syncedThrough: LogPosition { ring.syncedThrough }

    /// Notes that the log is safe elsewhere up to `position`: every page from the next on says so. Does nothing for the
    /// position that is noted already.
    ///
    /// Throws `.noSuchSegment` for a position that does not lie within what is retained, or before the one noted.
    public mutating func acknowledge(_ position: LogPosition) throws(LogError) {
        guard let oldest = ring.map.oldestRetained, position.segmentOrdinal >= oldest,
            position >= ring.syncedThrough, position <= head.position,
            Int(truncatingIfNeeded: position.byteOffset) <= geometry.segmentByteCount
        else { throw .noSuchSegment }
        ring.syncedThrough = position
    }

    /// The oldest segment that can be erased: any but the newest, in which the log goes on.
    @inline(never)
    public var oldestErasable: UInt32? {
        guard let oldest = ring.map.oldestRetained, oldest != ring.map.newestOrdinal else { return nil }
        return oldest
    }

    /// Whether all of a segment is known to be safe elsewhere. Of the one in which the noted position lies nobody can say.
    public func isAcknowledged(segment ordinal: UInt32) -> Bool { ring.isAcknowledged(ordinal) }

    /// Erases the oldest segment, unless it is the only one; ``takeGap(nowMilliseconds:)`` says what went. `.flash` if it
    /// could not be erased: it is no longer handed out, and erased when the ring comes round.
    public mutating func eraseOldest(_ cause: GapCause) throws(LogError) {
        guard let oldest = oldestErasable else { return }
        try ring.erase(oldest, cause)
    }

    /// Whether everything in the oldest segment is older than so many days: it was closed when the one behind it was begun.
    public mutating func isOldestOlder(
        thanDays days: UInt16, nowMilliseconds now: UInt64, startMilliseconds: UInt64
    ) -> Bool {
        guard let oldest = oldestErasable, let next = ring.map.retained(after: oldest) else { return false }
        return isBegun(
            next, beforeDays: days, nowMilliseconds: now, startMilliseconds: startMilliseconds)
    }

    /// Erases what stood before the oldest segment and is not overwritten yet, if all of it is older than so many days. A
    /// gap has told of it.
    public mutating func eraseRemains(
        olderThanDays days: UInt16, nowMilliseconds now: UInt64, startMilliseconds: UInt64
    ) throws(LogError) {
        guard ring.isOverwritten, let oldest = ring.map.oldestRetained,
            isBegun(oldest, beforeDays: days, nowMilliseconds: now, startMilliseconds: startMilliseconds)
        else { return }
        try ring.eraseRemains()
    }

    /// Whether the segment was begun more than so many days ago. The date that it was begun on does not count.
    private mutating func isBegun(
        _ ordinal: UInt32, beforeDays days: UInt16, nowMilliseconds now: UInt64, startMilliseconds: UInt64
    ) -> Bool {
        isBegun(
            ordinal, daysAgo: days, orDates: Int(days) + 1, nowMilliseconds: now,
            startMilliseconds: startMilliseconds) ?? false
    }

    /// Whether the newest segment was begun so many days ago: on a date so many before today's or, where no clock was known,
    /// so many times 24 hours.
    public mutating func isNewestBegun(
        daysAgo days: UInt16, nowMilliseconds now: UInt64, startMilliseconds: UInt64
    ) -> Bool {
        guard let newest = ring.map.newestOrdinal else { return false }
        return isBegun(
            newest, daysAgo: days, orDates: Int(days), nowMilliseconds: now,
            startMilliseconds: startMilliseconds)
            ?? (now >= startMilliseconds + UInt64(days) * 86_400_000)
    }

    /// The segment's opening says when it was begun: the date or, where no clock was known, the moment of this start of the
    /// agent. Of earlier starts without a clock is only known that they were before this one. Nil if nothing is known.
    private mutating func isBegun(
        _ ordinal: UInt32, daysAgo days: UInt16, orDates dates: Int, nowMilliseconds now: UInt64,
        startMilliseconds: UInt64
    ) -> Bool? {
        guard let closing = ring.closing(before: ordinal) else { return nil }
        if let today = day, let begun = closing.day { return begun.age(on: today) >= dates }
        var begun = startMilliseconds
        if closing.bootIdentifier == bootIdentifier {
            guard let summary = closing.summary else { return nil }
            begun = summary.last.milliseconds
        }
        return now >= begun + UInt64(days) * 86_400_000
    }

    /// The next page begins a segment, so that what is in the newest one grows old. What waits in memory is committed before.
    public mutating func closeSegment() throws(LogError) {
        try commit()
        if ring.map.next.ordinal == ring.map.newestOrdinal { ring.map.leaveNewest() }
    }

    /// What is gone since this was last asked, to be logged: all that was erased, but for what only made room when it was
    /// safe elsewhere.
    public mutating func takeGap(nowMilliseconds now: UInt64) -> GapEntry? {
        guard var gap = ring.gap else { return nil }
        ring.gap = nil
        gap.monotonicMilliseconds = now
        return gap
    }
}
