import FixedMemory

// Segments that go, and what is told of them.

extension SegmentRing where Flash: ~Copyable {
    func isAcknowledged(_ ordinal: UInt32) -> Bool { syncedThrough.segmentOrdinal > ordinal }

    /// The ring has gone round, and this was in the slot that it needs.
    mutating func noteOverwritten(_ slot: SegmentMap.Slot) {
        guard slot.committedByteCount > 0 else { return }
        counters.overwrittenSegments &+= 1
        counters.overwrittenBytes &+= UInt64(slot.committedByteCount)
        guard !isAcknowledged(slot.ordinal) else { return }
        counters.lostSegments &+= 1
        counters.lostBytes &+= UInt64(slot.committedByteCount)
        noteGap(slot, .room)
    }

    /// Erases a segment that is not the newest. After an error it is forgotten all the same: nobody knows what is left of it.
    mutating func erase(_ ordinal: UInt32, _ cause: GapCause) throws(LogError) {
        noteGap(map.forgetSlot(of: ordinal), cause)
        counters.removedSegments &+= 1
        try eraseSlot(of: ordinal)
    }

    /// When it returns, nothing of what the slot held comes back.
    mutating func eraseSlot(of ordinal: UInt32) throws(LogError) {
        do throws(FlashError) {
            try flash.erase(segment: map.slotIndex(of: ordinal))
            try flash.sync()
        } catch {
            counters.flashFailures &+= 1
            throw .flash(error)
        }
    }

    private mutating func noteGap(_ slot: SegmentMap.Slot, _ cause: GapCause) {
        var new = GapEntry(
            cause: cause, isAcknowledged: isAcknowledged(slot.ordinal), segmentOrdinal: slot.ordinal,
            byteCount: UInt64(slot.committedByteCount))
        if let summary = closing(before: slot.ordinal &+ 1)?.summary {
            new.knowledge = summary.isAtLeast ? 3 : 1
            new.entryCount = summary.entryCount
            new.first = summary.first
            new.last = summary.last
        }
        gap?.append(new)
        if gap == nil { gap = new }
    }

    /// What a retained segment's opening says of the one before it; nil if the segment is not there or cannot be read.
    mutating func closing(before ordinal: UInt32) -> SegmentClosing? {
        guard map.committedByteCount(of: ordinal) > 0 else { return nil }
        for blockIndex in 0..<SegmentMap.markingBlocks {
            let place = SegmentMap.Place(ordinal: ordinal, blockIndex: blockIndex)
            do throws(LogError) {
                let bytes = try Self.readStart(&flash, block: map.block(of: place))
                let mark = try SegmentMark(pageStart: bytes, geometry: map.geometry)
                if mark?.segmentOrdinal == ordinal { return SegmentClosing(pageStart: bytes) }
            } catch {
                continue
            }
        }
        return nil
    }
}
