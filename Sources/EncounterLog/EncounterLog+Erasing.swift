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

    /// Whether everything in the oldest segment is older than so many days. When it was closed the one behind it says: the
    /// day, or, where no clock was known, the moment of this start of the agent. Of earlier starts without a clock is only
    /// known that they were before this one.
    public mutating func isOldestOlder(
        thanDays days: UInt16, nowMilliseconds now: UInt64, startMilliseconds: UInt64
    ) -> Bool {
        guard let oldest = oldestErasable, let next = ring.map.retained(after: oldest) else { return false }
        return isOlder(thanDays: days, now, startMilliseconds, behind: next)
    }

    /// Erases what stood before the oldest segment and is not overwritten yet, if all of it is older than so many days. A
    /// gap has told of it.
    public mutating func eraseRemains(
        olderThanDays days: UInt16, nowMilliseconds now: UInt64, startMilliseconds: UInt64
    ) throws(LogError) {
        guard ring.isOverwritten, let oldest = ring.map.oldestRetained,
            isOlder(thanDays: days, now, startMilliseconds, behind: oldest)
        else { return }
        try ring.eraseRemains()
    }

    /// Whether it is so long since a segment was begun, and the one before it closed.
    private mutating func isOlder(
        thanDays days: UInt16, _ now: UInt64, _ startMilliseconds: UInt64, behind next: UInt32
    ) -> Bool {
        guard let closing = ring.closing(before: next) else { return false }
        if let today = day, let closed = closing.day { return closed.age(on: today) > Int(days) }
        var closed = startMilliseconds
        if closing.bootIdentifier == bootIdentifier { closed = closing.summary?.last.milliseconds ?? now }
        return now >= closed + UInt64(days) * 86_400_000
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
