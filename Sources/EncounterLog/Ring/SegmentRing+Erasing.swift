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
        if let next = start(of: slot.ordinal &+ 1) {
            new.knowledge = next.span[SegmentOpening.summaryOffset] & 3
            new.entryCount = next.span.loadUInt32(at: SegmentOpening.summaryOffset + 1)
            new.first = SegmentSummary.Moment(next.span, at: SegmentOpening.summaryOffset + 5)
            new.last = SegmentSummary.Moment(next.span, at: SegmentOpening.summaryOffset + 21)
        }
        gap?.append(new)
        if gap == nil { gap = new }
    }

    /// The first bytes of a retained segment, with an opening of it; nil if it is not there or cannot be read.
    mutating func start(of ordinal: UInt32) -> Bytes<86>? {
        guard map.committedByteCount(of: ordinal) > 0 else { return nil }
        for blockIndex in 0..<SegmentMap.markingBlocks {
            let place = SegmentMap.Place(ordinal: ordinal, blockIndex: blockIndex)
            do throws(LogError) {
                let bytes = try Self.readStart(&flash, block: map.block(of: place))
                let mark = try SegmentMark(pageStart: bytes, geometry: map.geometry)
                if mark?.segmentOrdinal == ordinal { return bytes }
            } catch {
                continue
            }
        }
        return nil
    }
}

extension SegmentSummary.Moment {
    fileprivate init(_ bytes: Span<UInt8>, at offset: Int) {
        self.init(
            bootIdentifier: bytes.loadUInt64(at: offset), milliseconds: bytes.loadUInt64(at: offset + 8))
    }
}
