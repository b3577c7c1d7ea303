import FixedMemory

// Erased segments, and the erased range that reports them.

extension SegmentRing where Flash: ~Copyable {
    func isAcknowledged(_ ordinal: UInt32) -> Bool { syncedThrough.segmentOrdinal > ordinal }

    /// Counts the segment whose slot the ring needs, and reports it as erased unless a host acknowledged it.
    mutating func recordOverwritten(_ slot: SegmentMap.Slot) {
        guard slot.committedByteCount > 0 else { return }
        counters.overwrittenSegments &+= 1
        counters.overwrittenBytes &+= UInt64(slot.committedByteCount)
        guard !isAcknowledged(slot.ordinal) else { return }
        counters.lostSegments &+= 1
        counters.lostBytes &+= UInt64(slot.committedByteCount)
        recordGap(slot, .room)
    }

    /// Erases a segment that is not the newest. If its own erasure fails, it is forgotten all the same,
    /// because its remaining contents are unknown.
    mutating func erase(_ ordinal: UInt32, _ cause: GapCause) throws(LogError) {
        // Stale blocks are older than any segment, so they go first.
        try eraseStaleBlocks()
        recordGap(map.forgetSlot(of: ordinal), cause)
        counters.removedSegments &+= 1
        try eraseSlot(of: ordinal)
    }

    /// Erases a slot and syncs: when this returns, its former contents cannot reappear.
    mutating func eraseSlot(of ordinal: UInt32) throws(LogError) {
        do throws(FlashError) {
            try flash.erase(segment: map.slotIndex(of: ordinal))
            try flash.sync()
        } catch {
            counters.flashFailures &+= 1
            throw .flash(error)
        }
    }

    /// Erases stale blocks on an overwritable medium: the blocks that the newest segment has not reached.
    /// Tries every block, also after a failure.
    mutating func eraseStaleBlocks() throws(LogError) {
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
                // Synced before the last block, so that a blank last block proves that all are blank.
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

    private mutating func recordGap(_ slot: SegmentMap.Slot, _ cause: GapCause) {
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

    /// The header of a retained segment, with its account of the previous one; nil if the segment is missing
    /// or unreadable.
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
