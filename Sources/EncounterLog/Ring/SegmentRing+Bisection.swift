import FixedMemory

// Fast mounting: finds a log's newest segment, and that segment's end, by bisection.

extension SegmentRing where Flash: ~Copyable {
    /// Finds the newest and the oldest segment by bisection, and returns the log's identity.
    ///
    /// The result is right as long as no three slots in a row between them are unusable; the log never gives
    /// up more than two. The segments between are assumed to be as they should. Returns nil, with `map`
    /// empty, if every slot must be examined.
    static func findByBisection(
        _ flash: inout Flash, _ map: inout SegmentMap
    ) throws(LogError) -> Bytes<16>? {
        let geometry = map.geometry
        guard let pivot = try findPivot(&flash, geometry: geometry),
            let newest = try findLast(&flash, from: pivot, step: 1, geometry: geometry),
            let oldest = try findLast(&flash, from: newest, step: -1, geometry: geometry)
        else { return nil }
        for ordinal in oldest.segmentOrdinal...newest.segmentOrdinal {
            map.found(ordinal, blockCount: geometry.blocksPerSegment)
        }
        let held = Int(truncatingIfNeeded: newest.segmentOrdinal - oldest.segmentOrdinal) + 1
        // Slots that the log gave up still hold segments of an earlier round, and may have led the search
        // past the newest one. Beside a segment without a readable header they may have ended the search
        // before the oldest one. Either then follows within six slots: the one that was being begun, two
        // that mounting could not read, and two that the log gave up a round before; or two given up, one
        // without a header, and two more.
        for distance in 1..<min(2 * SegmentMap.slotsToGiveUp + 3, geometry.segmentCount) {
            let isNear = distance < SegmentMap.slotsToGiveUp + 2
            let after = newest.segmentOrdinal &+ UInt32(truncatingIfNeeded: distance)
            var isMissed = try isOwn(&flash, &map, after, corrects: isNear)
            let before = oldest.segmentOrdinal &- UInt32(truncatingIfNeeded: distance)
            if !isMissed, held + distance <= geometry.segmentCount, before < oldest.segmentOrdinal {
                isMissed = try isOwn(&flash, &map, before, corrects: isNear)
            }
            if isMissed {
                map.removeAll()
                return nil
            }
        }
        return newest.logIdentity
    }

    /// Whether the slot of a segment behind the newest or before the oldest holds that segment, or a newer
    /// one. Corrects the map: the slot is assumed empty, or unclear, unless a segment header is readable in
    /// it.
    @inline(never)
    private static func isOwn(
        _ flash: inout Flash, _ map: inout SegmentMap, _ ordinal: UInt32, corrects: Bool
    ) throws(LogError) -> Bool {
        let slot = map.slotIndex(of: ordinal)
        let finding = try look(&flash, slot: slot, geometry: map.geometry)
        if case .segment(let mark) = finding { return mark.segmentOrdinal >= ordinal }
        guard corrects else { return false }
        _ = map.forgetSlot(of: ordinal)
        if case .erased = finding { return false }
        map.setUnclear(slot, true)
        return false
    }

    /// Finds any segment at all, at ever smaller distances.
    private static func findPivot(
        _ flash: inout Flash, geometry: FlashGeometry
    ) throws(LogError) -> SegmentMark? {
        if case .segment(let mark) = try look(&flash, slot: 0, geometry: geometry) { return mark }
        var distance = geometry.segmentCount
        while distance > 1 {
            for slot in stride(from: distance / 2, to: geometry.segmentCount, by: distance) {
                if case .segment(let mark) = try look(&flash, slot: slot, geometry: geometry) {
                    return mark
                }
            }
            distance = (distance + 1) / 2
        }
        return nil
    }

    /// Finds the last of the segments that follow one another from `first` on, forwards or backwards; nil if
    /// damage makes that uncertain.
    private static func findLast(
        _ flash: inout Flash, from first: SegmentMark, step: Int, geometry: FlashGeometry
    ) throws(LogError) -> SegmentMark? {
        var last = first
        var low = 0
        var high = geometry.segmentCount
        if step < 0 { high = min(high, Int(truncatingIfNeeded: first.segmentOrdinal) + 1) }
        while high - low > 1 {
            let middle = low + (high - low) / 2
            var found: SegmentMark?
            var hasDamage = false
            var distance = middle
            while found == nil, distance < min(middle + SegmentMap.slotsToGiveUp + 1, high) {
                let ordinal = Int(truncatingIfNeeded: first.segmentOrdinal) + step * distance
                let slot = ordinal % geometry.segmentCount
                switch try look(&flash, slot: slot, geometry: geometry) {
                case .segment(let mark):
                    if Int(truncatingIfNeeded: mark.segmentOrdinal) == ordinal {
                        found = mark
                    } else if case .segment(let second) = try look(
                        &flash, slot: slot, blocks: 1..<SegmentMap.markingBlocks, geometry: geometry),
                        Int(truncatingIfNeeded: second.segmentOrdinal) == ordinal
                    {
                        // The medium returned the previous round's contents for the segment's first page.
                        found = second
                    }
                case .erased: break
                case .damaged, .unreadable:
                    // Damaged: a segment that was being erased or begun. After two such slots in a row every
                    // slot must be examined.
                    if hasDamage { return nil }
                    hasDamage = true
                }
                if found == nil { distance += 1 }
            }
            if let found {
                last = found
                low = distance
            } else {
                high = middle
            }
        }
        return last
    }

    /// The number of blocks of the newest segment up to the last one written. The log never leaves more than
    /// a few blank blocks before a page, also not across mounts, so the search looks that many blocks past
    /// a blank one.
    static func usedBlocks(
        _ flash: inout Flash, of ordinal: UInt32, geometry: FlashGeometry, scratch: inout FixedArray<UInt8>
    ) -> Int {
        var place = SegmentMap.Place(ordinal: ordinal, blockIndex: 0)
        var low = 0
        var high = geometry.blocksPerSegment
        while low < high {
            place.blockIndex = low + (high - low) / 2
            if let used = usedBlock(&flash, from: place, geometry: geometry, scratch: &scratch) {
                low = used + 1
            } else {
                high = place.blockIndex
            }
        }
        guard isOverwritten(flash) else { return low }
        // A torn or damaged page may follow the last whole one.
        place.blockIndex = low
        while place.blockIndex < geometry.blocksPerSegment,
            !isUnwritten(&flash, place, geometry: geometry, scratch: &scratch)
        {
            place.blockIndex += 1
        }
        return place.blockIndex
    }

    /// The first used block from `place` on, among the few that the log may skip; nil if there is none. On an
    /// overwritten medium, used means holding a page of the segment.
    private static func usedBlock(
        _ flash: inout Flash, from place: SegmentMap.Place, geometry: FlashGeometry,
        scratch: inout FixedArray<UInt8>
    ) -> Int? {
        let end = min(place.blockIndex + SegmentMap.blocksToPassOver + 1, geometry.blocksPerSegment)
        var candidate = place
        while candidate.blockIndex < end {
            if isUsed(&flash, candidate, geometry: geometry, scratch: &scratch) {
                return candidate.blockIndex
            }
            candidate.blockIndex += 1
        }
        return nil
    }

    private static func isUsed(
        _ flash: inout Flash, _ place: SegmentMap.Place, geometry: FlashGeometry,
        scratch: inout FixedArray<UInt8>
    ) -> Bool {
        if isOverwritten(flash) {
            do throws(LogError) {
                return try holds(&flash, place, geometry: geometry, scratch: &scratch)
            } catch {
                return false
            }
        }
        // Bus errors occur, so a block is read several times, until each bit has been 1 once. If a blank
        // block passed for a written one, the next mount might not find what the log writes after it.
        var ones = Bytes<8>()
        for _ in 0..<readAttempts {
            var bytes = Bytes<8>()
            var span = bytes.mutableSpan
            do throws(FlashError) {
                try flash.read(block: place.block(in: geometry), offset: 0, into: &span)
            } catch {
                continue
            }
            for index in 0..<8 { ones[index] |= bytes[index] }
            if ones.span.isErased { return false }
        }
        // Also if the block cannot be read, because the log writes nothing there.
        return true
    }

    /// Reads a whole block.
    static func read(
        _ flash: inout Flash, _ place: SegmentMap.Place, geometry: FlashGeometry,
        into scratch: inout FixedArray<UInt8>
    ) throws(LogError) {
        var bytes = scratch.mutableSpan
        do throws(FlashError) {
            try flash.read(block: place.block(in: geometry), offset: 0, into: &bytes)
        } catch {
            throw .flash(error)
        }
    }

    /// Reads how far a segment goes, and the contents of its last page that matter.
    @inline(never)  // keeps the image small
    static func tail(
        of ordinal: UInt32, _ logIdentity: Bytes<16>, _ flash: inout Flash, map: borrowing SegmentMap,
        scratch: inout FixedArray<UInt8>
    ) -> LogTail {
        var tail = LogTail(logIdentity: logIdentity, segmentOrdinal: ordinal)
        tail.usedBlocks = usedBlocks(&flash, of: ordinal, geometry: map.geometry, scratch: &scratch)
        readTail(&tail, &flash, map: map, scratch: &scratch)
        return tail
    }

    /// Reads the last readable page of the segment. A block with anything else is read again, because a bus
    /// may err or a cell may be unstable.
    private static func readTail(
        _ tail: inout LogTail, _ flash: inout Flash, map: borrowing SegmentMap,
        scratch: inout FixedArray<UInt8>
    ) {
        let geometry = map.geometry
        var blockIndex = tail.usedBlocks
        while blockIndex > 0 {
            blockIndex -= 1
            let place = SegmentMap.Place(ordinal: tail.segmentOrdinal, blockIndex: blockIndex)
            var attempts = 0
            var isWhole = false
            while !isWhole, attempts < readAttempts {
                attempts += 1
                do throws(LogError) {
                    try read(&flash, place, geometry: geometry, into: &scratch)
                } catch {
                    continue
                }
                isWhole = record(&tail, scratch.span, at: place.position(in: geometry), geometry)
            }
            if tail.epoch != nil { return }
            tail.pagelessBlocks += 1
        }
    }

    /// Takes over the fields of a block's last whole page, if it is later than what is known. Returns false
    /// if any part of the block is not a page.
    private static func record(
        _ tail: inout LogTail, _ block: Span<UInt8>, at start: LogPosition, _ geometry: FlashGeometry
    ) -> Bool {
        var offset = 0
        var isWhole = true
        while offset < block.count, !block.extracting(offset..<block.count).isErased {
            do throws(LogError) {
                let page = try LogPage(
                    block.extracting(offset..<block.count), at: start.moved(byBytes: offset))
                if page.endPosition > tail.head.position {
                    tail.epoch = page.header.epoch
                    tail.head = LogHead(position: page.endPosition, chainValue: page.chainValue)
                    if let link = page.link { tail.syncedThrough = link.syncedThrough }
                }
                offset += geometry.programmedByteCount(page.byteCount)
            } catch {
                isWhole = false
                offset += geometry.unitByteCount
            }
        }
        return isWhole
    }
}
