import FixedMemory

// Finding the log on a medium, in whatever state a power cut left it.

extension SegmentRing where Flash: ~Copyable {
    /// What the first pages of some blocks of a slot say of the segment in it.
    enum Finding {
        case segment(SegmentMark)
        case erased
        case damaged
        case unreadable(FlashError)
    }

    static var readAttempts: Int { 4 }

    /// Fills `map` with what is found and returns what the log says of itself; nil if the medium is blank, with `map` set
    /// to write the first page.
    static func recover(
        _ flash: inout Flash, map: inout SegmentMap, scratch: inout FixedArray<UInt8>
    ) throws(LogError) -> LogTail? {
        settle(&flash)
        let geometry = map.geometry
        var identity = try findByBisection(&flash, &map)
        if identity == nil { identity = try findMarkedSegments(&flash, &map) }
        let newestMarked = map.newestOrdinal
        let unreadable = try findSegmentsWithoutMarks(&flash, &map, &identity, scratch: &scratch)
        guard let newest = map.newestOrdinal, let logIdentity = identity else {
            try requireBlank(&flash, geometry: geometry, scratch: &scratch)
            // A power cut while formatting may have left a torn page. An erased segment is not erased again.
            if isOverwritten(flash) { return nil }
            let usedBlocks = usedBlocks(&flash, of: 0, geometry: geometry, scratch: &scratch)
            if usedBlocks < SegmentMap.markingBlocks {
                map.next = SegmentMap.Place(ordinal: 0, blockIndex: usedBlocks)
            }
            return nil
        }
        var tail = Self.tail(of: newest, logIdentity, &flash, map: map, scratch: &scratch)
        map.found(newest, blockCount: tail.usedBlocks)
        // Where what was torn cannot be told from what stood there before, the next mount has to look over these, too.
        if isOverwritten(flash) { map.notePassedOver(tail.pagelessBlocks) }
        // Nothing is added to a segment that may not be found next time, nor to one that was perhaps closed: who
        // has fetched it does not ask for it again.
        if newest != newestMarked || map.newestMayBeClosed { map.leaveNewest() }
        if let unreadable, !map.settleUnclearSlots() { throw .flash(unreadable) }
        if isOverwritten(flash), map.isSegmentFull {
            let place = SegmentMap.Place(ordinal: newest &+ 1, blockIndex: 0)
            if !isUnwritten(&flash, place, geometry: geometry, scratch: &scratch) {
                map.noteRemains(map.slotIndex(of: place.ordinal))
            }
        }
        if tail.epoch == nil, let ordinal = map.retained(before: newest) {
            // Power went while the newest segment's first page was written: the log goes on from the page before it.
            let before = Self.tail(of: ordinal, logIdentity, &flash, map: map, scratch: &scratch)
            tail.head = before.head
            tail.syncedThrough = before.syncedThrough
        }
        return tail
    }

    /// An agent that was killed may have left pages that only a cache holds: what is found is to last. If the device fails
    /// here, it reads from now on as after a power cut, and that is as good.
    private static func settle(_ flash: inout Flash) {
        do throws(FlashError) { try flash.sync() } catch {}
    }

    /// Looks at each slot's marking blocks. A slot where these are neither whole nor erased becomes unclear.
    private static func findMarkedSegments(
        _ flash: inout Flash, _ map: inout SegmentMap
    ) throws(LogError) -> Bytes<16>? {
        var identity: Bytes<16>?
        for slot in 0..<map.geometry.segmentCount {
            switch try look(&flash, slot: slot, geometry: map.geometry) {
            case .segment(let mark):
                note(mark, &map, &identity)
                // Of its first page the medium may have given back what stood there a round before.
                let others = 1..<SegmentMap.markingBlocks
                if case .segment(let second) = try look(
                    &flash, slot: slot, blocks: others, geometry: map.geometry),
                    second.segmentOrdinal > mark.segmentOrdinal
                {
                    note(second, &map, &identity)
                }
            case .erased: break
            case .damaged, .unreadable: map.setUnclear(slot, true)
            }
        }
        return identity
    }

    /// Looks at all other blocks of the unclear slots: if the newest segment were overlooked, it would be erased as the
    /// next to be begun. A slot stays unclear if the device gives no page of it; why is returned.
    private static func findSegmentsWithoutMarks(
        _ flash: inout Flash, _ map: inout SegmentMap, _ identity: inout Bytes<16>?,
        scratch: inout FixedArray<UInt8>
    ) throws(LogError) -> FlashError? {
        let geometry = map.geometry
        let newestMarked = map.newestOrdinal
        var unreadable: FlashError?
        for slot in 0..<geometry.segmentCount where map.isUnclear(slot) {
            let finding = try look(
                &flash, slot: slot, blocks: 0..<geometry.blocksPerSegment, geometry: geometry)
            if case .unreadable(let error) = finding {
                unreadable = error
                continue
            }
            map.setUnclear(slot, false)
            if case .erased = finding { continue }
            var mark: SegmentMark?
            if case .segment(let found) = finding { mark = found }
            var ordinal = mark?.segmentOrdinal
            // A slot that is overwritten may have an older segment's opening beside a newer one's pages.
            if let newestMarked, mark == nil || isOverwritten(flash) {
                let other = ordinalWithoutOpening(
                    &flash, slot: slot, newest: newestMarked, geometry: geometry, scratch: &scratch)
                if let other { ordinal = max(ordinal ?? 0, other) }
            }
            guard let ordinal else {
                map.noteRemains(slot)
                continue
            }
            if map.mayBeHalfErased(ordinal) { continue }
            if let mark, mark.segmentOrdinal == ordinal {
                note(mark, &map, &identity)
            } else {
                map.found(ordinal, blockCount: geometry.blocksPerSegment)
            }
        }
        return unreadable
    }

    private static func note(
        _ mark: SegmentMark, _ map: inout SegmentMap, _ identity: inout Bytes<16>?
    ) {
        if map.newestOrdinal == nil || mark.segmentOrdinal > map.newestOrdinal ?? 0 {
            identity = mark.logIdentity
        }
        // All but the newest are full: a segment is begun only when the one before it is.
        map.found(mark.segmentOrdinal, blockCount: map.geometry.blocksPerSegment)
    }

    /// The first readable opening at the start of some blocks of the segment in `slot`, or why there is none. Where the medium
    /// is overwritten, the newest: the blocks behind it may have an older one.
    @inline(never)  // for the image's size, as below
    static func look(
        _ flash: inout Flash, slot: Int, blocks: Range<Int> = 0..<SegmentMap.markingBlocks,
        geometry: FlashGeometry
    ) throws(LogError) -> Finding {
        var finding = Finding.erased
        for blockIndex in blocks {
            let mark: SegmentMark?
            do throws(LogError) {
                mark = try readMark(
                    &flash, block: slot * geometry.blocksPerSegment + blockIndex, geometry: geometry)
            } catch .unsupportedVersion(let version) {
                throw .unsupportedVersion(version)
            } catch .geometryMismatch(let found) {
                throw .geometryMismatch(found: found)
            } catch .flash(let error) {
                if case .segment = finding { continue }
                finding = .unreadable(error)
                continue
            } catch {
                if error != .blankPage, case .erased = finding { finding = .damaged }
                continue
            }
            if let mark {
                let ownSlot = mark.segmentOrdinal % UInt32(truncatingIfNeeded: geometry.segmentCount)
                if Int(truncatingIfNeeded: ownSlot) == slot {
                    if case .segment(let other) = finding, other.segmentOrdinal > mark.segmentOrdinal {
                        continue
                    }
                    finding = .segment(mark)
                    if isOverwritten(flash) { continue }
                    return finding
                }
            }
            if case .erased = finding { finding = .damaged }
        }
        // A file that was never written there reads zeros.
        if case .damaged = finding, isUntouched(&flash, slot: slot, blocks: blocks, geometry: geometry) {
            return .erased
        }
        return finding
    }

    private static func isUntouched(
        _ flash: inout Flash, slot: Int, blocks: Range<Int>, geometry: FlashGeometry
    ) -> Bool {
        for blockIndex in blocks {
            do throws(LogError) {
                let start = try readStart(&flash, block: slot * geometry.blocksPerSegment + blockIndex)
                guard start == Bytes() else { return false }
            } catch {
                return false
            }
        }
        return true
    }

    /// Which segment a slot holds of which no opening can be read: its pages' checksums match in one place only. Of the
    /// round of the newest segment found, the one before it, or the one behind. The newest, if there are pages of several.
    private static func ordinalWithoutOpening(
        _ flash: inout Flash, slot: Int, newest: UInt32, geometry: FlashGeometry,
        scratch: inout FixedArray<UInt8>
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
                let position = LogPosition(segmentOrdinal: ordinal, byteOffset: offset)
                if LogPage.isWhole(scratch.span, at: position) { found = max(found ?? 0, ordinal) }
            }
        }
        return found
    }

    /// Of which segment a block's first page is; nil if it has no opening. One that is neither whole nor erased is read again,
    /// until it comes the same way twice: a bus may err, a cell be unstable.
    @inline(never)
    private static func readMark(
        _ flash: inout Flash, block: Int, geometry: FlashGeometry
    ) throws(LogError) -> SegmentMark? {
        var before: Bytes<86>?
        var attempts = 0
        while true {
            attempts += 1
            do throws(LogError) {
                let bytes = try readStart(&flash, block: block)
                let isSettled = before == bytes || attempts == readAttempts
                before = bytes
                do throws(LogError) {
                    return try SegmentMark(pageStart: bytes, geometry: geometry)
                } catch {
                    if isSettled || error == .blankPage { throw error }
                }
            } catch {
                guard case .flash = error, attempts < readAttempts else { throw error }
            }
        }
    }

    /// A page's header and the part of its opening that has its own checksum.
    static func readStart(_ flash: inout Flash, block: Int) throws(LogError) -> Bytes<86> {
        var bytes = Bytes<86>()
        var span = bytes.mutableSpan
        do throws(FlashError) {
            try flash.read(block: block, offset: 0, into: &span)
        } catch {
            throw .flash(error)
        }
        return bytes
    }

    /// Every byte of the medium is to be 0x00 (a file made of nothing) or 0xFF, but for the first segment's blocks
    /// that begin as a torn page of a log may: no bit cleared in its first byte that is to be set.
    private static func requireBlank(
        _ flash: inout Flash, geometry: FlashGeometry, scratch: inout FixedArray<UInt8>
    ) throws(LogError) {
        for block in 0..<geometry.blockCount {
            let verdict = try inspect(&flash, block: block, scratch: &scratch)
            let isTorn = block < geometry.blocksPerSegment && verdict.mayBeTorn
            guard verdict.isBlank || isTorn else { throw .mediumHoldsSomethingElse(block: block) }
        }
    }

    /// What all the bytes of a block say about it.
    struct BlockVerdict {
        var isErased = true
        var isBlank = true
        var mayBeTorn = true
    }

    @inline(never)
    static func inspect(
        _ flash: inout Flash, block: Int, from start: Int = 0, scratch: inout FixedArray<UInt8>
    ) throws(LogError) -> BlockVerdict {
        let end = scratch.count
        var all = scratch.mutableSpan
        var bytes = all._mutatingExtracting(start..<end)
        do throws(FlashError) {
            try flash.read(block: block, offset: start, into: &bytes)
        } catch {
            throw .flash(error)
        }
        var verdict = BlockVerdict()
        let read = bytes.span
        if read.isErased { return verdict }
        verdict.isErased = false
        let torn = PageHeader.marker | PageHeader.formatVersion
        verdict.mayBeTorn = read[0] & torn == torn
        for index in read.indices where read[index] != 0xff && read[index] != 0 { verdict.isBlank = false }
        return verdict
    }
}
