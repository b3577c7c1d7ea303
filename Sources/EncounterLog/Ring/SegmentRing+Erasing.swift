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
        // Older than any segment.
        try eraseRemains()
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

    /// Of a medium that is overwritten: erases what the newest segment has not come to yet, and what stood there rounds
    /// before. Tries every block, whatever fails.
    mutating func eraseRemains() throws(LogError) {
        guard isOverwritten, let newest = map.newestOrdinal else { return }
        let first = map.slotIndex(of: newest) * map.geometry.blocksPerSegment
        let used = map.committedByteCount(of: newest) / map.geometry.blockByteCount
        let last = map.geometry.blocksPerSegment - 1
        guard used <= last, !isBlank(block: first + last) else { return }
        let blocks = first + used..<first + last + 1
        guard let failure = Self.erase(&flash, blocks: blocks, scratch: &scratch) else { return }
        counters.flashFailures &+= 1
        throw .flash(failure)
    }

    private static func erase(
        _ flash: inout Flash, blocks: Range<Int>, scratch: inout FixedArray<UInt8>
    ) -> FlashError? {
        var failure: FlashError?
        for index in 0..<scratch.count { scratch[index] = 0xff }
        for block in blocks {
            do throws(FlashError) {
                // That the last one is erased says that all are.
                if block == blocks.upperBound - 1 { try flash.sync() }
                try flash.program(block: block, offset: 0, from: scratch.span)
            } catch {
                failure = error
            }
        }
        do throws(FlashError) { try flash.sync() } catch { failure = error }
        return failure
    }

    private mutating func isBlank(block: Int) -> Bool {
        do throws(LogError) {
            return try Self.inspect(&flash, block: block, scratch: &scratch).isBlank
        } catch {
            return false
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
                let bytes = try Self.readStart(&flash, block: place.block(in: map.geometry))
                let mark = try SegmentMark(pageStart: bytes, geometry: map.geometry)
                if mark?.segmentOrdinal == ordinal { return SegmentClosing(pageStart: bytes) }
            } catch {
                continue
            }
        }
        return nil
    }
}
