import FixedMemory

// Mounting: finding the log on a medium, in any state that a power cut may leave.

extension SegmentRing where Flash: ~Copyable {
    /// Fills `map` from the medium and returns the end of the log; nil if the medium is blank, with `map`
    /// ready for the first page.
    ///
    /// - Parameter last: the largest ordinal that a segment of the log can have; segment headers with a
    ///   larger one are foreign.
    static func recover(
        _ flash: inout Flash, map: inout SegmentMap, scratch: inout FixedArray<UInt8>, upTo last: UInt32
    ) throws(LogError) -> LogTail? {
        settle(&flash)
        let geometry = map.geometry
        var identity: Bytes<16>?
        if last == .max { identity = try findByBisection(&flash, &map) }
        if identity == nil { identity = try findMarkedSegments(&flash, &map, upTo: last) }
        let newestMarked = map.newestOrdinal
        let unreadable = try findSegmentsWithoutMarks(
            &flash, &map, &identity, scratch: &scratch, upTo: last)
        guard let newest = map.newestOrdinal, let logIdentity = identity else {
            try requireBlank(&flash, geometry: geometry, scratch: &scratch)
            // A power cut during formatting may have left a torn page. An erased segment is not erased again.
            if isOverwritten(flash) { return nil }
            let usedBlocks = usedBlocks(&flash, of: 0, geometry: geometry, scratch: &scratch)
            if usedBlocks < SegmentMap.markingBlocks {
                map.next = SegmentMap.Place(ordinal: 0, blockIndex: usedBlocks)
            }
            return nil
        }
        var tail = Self.tail(of: newest, logIdentity, &flash, map: map, scratch: &scratch)
        map.found(newest, blockCount: tail.usedBlocks)
        // The next mount must look beyond these blocks, too. On an overwritten medium torn blocks look like
        // stale ones. On flash an unstable cell, or an error in reading, may have made a blank block pass for
        // a written one, which the next mount finds blank.
        map.countPassedOver(tail.pagelessBlocks)
        // Append nothing to a segment that the next mount may miss, nor to one that may be complete. A host
        // that has a complete segment does not fetch it again.
        if newest != newestMarked || map.newestMayBeComplete { map.leaveNewest() }
        if let unreadable, !map.settleUnclearSlots() { throw .flash(unreadable) }
        if isOverwritten(flash), map.isSegmentFull {
            let place = SegmentMap.Place(ordinal: newest &+ 1, blockIndex: 0)
            if !isUnwritten(&flash, place, geometry: geometry, scratch: &scratch) {
                map.countStaleBlocks(map.slotIndex(of: place.ordinal))
            }
        }
        if tail.epoch == nil, let ordinal = map.retained(before: newest) {
            // A power cut hit the newest segment's first page: the log continues from the page before it.
            let before = Self.tail(of: ordinal, logIdentity, &flash, map: map, scratch: &scratch)
            tail.head = before.head
            tail.syncedThrough = before.syncedThrough
        }
        return tail
    }

    /// Syncs, because a killed agent may have left pages that only a cache holds, and what mounting finds
    /// must last. If the sync fails, the device reads from now on as after a power cut, which is as good.
    private static func settle(_ flash: inout Flash) {
        do throws(FlashError) { try flash.sync() } catch {}
    }

    /// Looks at each slot's marking blocks. A slot where these are neither whole nor erased becomes unclear.
    private static func findMarkedSegments(
        _ flash: inout Flash, _ map: inout SegmentMap, upTo last: UInt32
    ) throws(LogError) -> Bytes<16>? {
        var identity: Bytes<16>?
        for slot in 0..<map.geometry.segmentCount {
            switch try look(&flash, slot: slot, geometry: map.geometry, upTo: last) {
            case .segment(let mark):
                record(mark, &map, &identity)
                // The medium may have returned the previous round's contents for its first page.
                let others = 1..<SegmentMap.markingBlocks
                if case .segment(let second) = try look(
                    &flash, slot: slot, blocks: others, geometry: map.geometry, upTo: last),
                    second.segmentOrdinal > mark.segmentOrdinal
                {
                    record(second, &map, &identity)
                }
            case .erased: break
            case .damaged, .unreadable: map.setUnclear(slot, true)
            }
        }
        return identity
    }

    /// Looks at all other blocks of the unclear slots, because the log would erase an overlooked newest
    /// segment next. A slot stays unclear if the device reads none of its pages; the result is the device's
    /// error. Also looks at slots with a header of an earlier round: on an overwritten medium such a header
    /// may be beside a newer segment's pages, whose own headers are lost.
    private static func findSegmentsWithoutMarks(
        _ flash: inout Flash, _ map: inout SegmentMap, _ identity: inout Bytes<16>?,
        scratch: inout FixedArray<UInt8>, upTo last: UInt32
    ) throws(LogError) -> FlashError? {
        let geometry = map.geometry
        let newestMarked = map.newestOrdinal
        var unreadable: FlashError?
        for slot in 0..<geometry.segmentCount where map.isUnclear(slot) || map.isOutdated(slot) {
            let finding = try look(
                &flash, slot: slot, blocks: 0..<geometry.blocksPerSegment, geometry: geometry, upTo: last)
            if case .unreadable(let error) = finding {
                unreadable = error
                continue
            }
            map.setUnclear(slot, false)
            if case .erased = finding { continue }
            var mark: SegmentMark?
            if case .segment(let found) = finding { mark = found }
            var ordinal = mark?.segmentOrdinal
            // An overwritten slot may have an older segment's header beside a newer segment's pages.
            if let newestMarked, mark == nil || isOverwritten(flash) {
                let other = ordinalWithoutHeader(
                    &flash, slot: slot, newest: newestMarked, geometry: geometry, scratch: &scratch,
                    upTo: last)
                if let other { ordinal = max(ordinal ?? 0, other) }
            }
            guard let ordinal else {
                map.countStaleBlocks(slot)
                continue
            }
            if map.mayBeHalfErased(ordinal) { continue }
            if let mark, mark.segmentOrdinal == ordinal {
                record(mark, &map, &identity)
            } else {
                map.found(ordinal, blockCount: geometry.blocksPerSegment)
            }
        }
        return unreadable
    }

    private static func record(
        _ mark: SegmentMark, _ map: inout SegmentMap, _ identity: inout Bytes<16>?
    ) {
        if map.newestOrdinal == nil || mark.segmentOrdinal > map.newestOrdinal ?? 0 {
            identity = mark.logIdentity
        }
        // All but the newest are full: a segment begins only when the one before it is full.
        map.found(mark.segmentOrdinal, blockCount: map.geometry.blocksPerSegment)
    }

    /// Identifies the segment in a slot without a readable segment header, by page checksums: each matches at
    /// one position only.
    ///
    /// It tries the round of the newest segment found, the one before and the one after. With pages of
    /// several, it returns the newest that is not larger than `last`.
    private static func ordinalWithoutHeader(
        _ flash: inout Flash, slot: Int, newest: UInt32, geometry: FlashGeometry,
        scratch: inout FixedArray<UInt8>, upTo last: UInt32
    ) -> UInt32? {
        let count = UInt32(truncatingIfNeeded: geometry.segmentCount)
        let slotOfNewest = newest % count
        let next = newest &- slotOfNewest &+ UInt32(truncatingIfNeeded: slot)
        var found: UInt32?
        for blockIndex in 0..<geometry.blocksPerSegment {
            var bytes = scratch.mutableSpan
            do throws(FlashError) {
                try flash.read(block: slot * geometry.blocksPerSegment + blockIndex, offset: 0, into: &bytes)
            } catch {
                continue
            }
            let offset = UInt32(truncatingIfNeeded: blockIndex * geometry.blockByteCount)
            for round in 0..<3 as Range<UInt32> {
                let ordinal = next &+ count &- count &* round
                guard ordinal <= last else { continue }
                let position = LogPosition(segmentOrdinal: ordinal, byteOffset: offset)
                if LogPage.isWhole(scratch.span, at: position) { found = max(found ?? 0, ordinal) }
            }
        }
        return found
    }

    /// Throws unless every byte of the medium is 0x00 (a new file) or 0xFF. In the first segment a block may
    /// also begin like a torn page: its first byte has all bits of a page's first byte set.
    private static func requireBlank(
        _ flash: inout Flash, geometry: FlashGeometry, scratch: inout FixedArray<UInt8>
    ) throws(LogError) {
        for block in 0..<geometry.blockCount {
            let verdict = try inspect(&flash, block: block, scratch: &scratch)
            let isTorn = block < geometry.blocksPerSegment && verdict.mayBeTorn
            guard verdict.isBlank || isTorn else { throw .mediumHoldsSomethingElse(block: block) }
        }
    }
}
