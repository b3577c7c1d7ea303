import FixedMemory

/// The slots of the medium: the segment in each, how much of it is committed, and where the next page goes.
struct SegmentMap: ~Copyable {
    /// A free place: the units from `offset` to the block's end, not programmed since their segment was
    /// erased.
    struct Place: Equatable {
        var ordinal: UInt32
        var blockIndex: Int
        var offset = 0

        /// The block's number on the whole medium.
        func block(in geometry: FlashGeometry) -> Int {
            geometry.slotIndex(of: ordinal) * geometry.blocksPerSegment + blockIndex
        }

        func position(in geometry: FlashGeometry) -> LogPosition {
            LogPosition(
                segmentOrdinal: ordinal,
                byteOffset: UInt32(truncatingIfNeeded: blockIndex * geometry.blockByteCount + offset))
        }
    }

    struct Slot: BitwiseCopyable {
        var ordinal: UInt32 = 0
        /// 0 if the slot holds nothing to read.
        var committedByteCount: UInt32 = 0
        /// Whether the slot may hold a segment that mounting could not read.
        var isUnclear = false
        /// Whether mounting found stale blocks without a readable page in the slot.
        var holdsStaleBlock = false
    }

    let geometry: FlashGeometry
    private var slots: FixedArray<Slot>

    /// Where the next page goes, if that place is free. A `blockIndex` past the segment's last block means
    /// that the next page begins the next segment.
    var next: Place
    /// The newest segment with any contents; nil if there is none.
    private(set) var newestOrdinal: UInt32?
    /// Failed attempts at beginning a segment since the last programmed page, and slots given up.
    private var failedStarts = 0
    private var slotsGivenUp = 0
    /// Blocks skipped in a row.
    private var blocksPassedOver = 0

    /// Mounting finds a segment by the first page of one of these first blocks: one must have a readable
    /// segment header.
    static var markingBlocks: Int { 2 }
    /// The log skips at most this many blocks in a row before it leaves the segment. Mounting need not look
    /// at more than that many blocks after an unwritten one.
    static var blocksToPassOver: Int { 4 }
    /// Attempts at beginning a segment in one slot before the slot is skipped until the ring's next round.
    static var startAttempts: Int { 8 }
    /// The log gives up at most this many slots in a row. If more fail, the fault is the device's, and
    /// continuing would only cost readable segments.
    static var slotsToGiveUp: Int { 2 }

    init(geometry: FlashGeometry) throws(LogError) {
        do throws(MemoryError) {
            slots = try FixedArray(count: geometry.segmentCount, repeating: Slot())
        } catch {
            throw .noMemory(byteCount: error.byteCount)
        }
        self.geometry = geometry
        // As if a segment before the first were full.
        next = Place(ordinal: .max, blockIndex: geometry.blocksPerSegment)
    }

    /// Forgets all segments, so that the medium is looked through again.
    @inline(never)
    mutating func removeAll() {
        for slot in 0..<slots.count { slots[slot] = Slot() }
        newestOrdinal = nil
        next = Place(ordinal: .max, blockIndex: geometry.blocksPerSegment)
        failedStarts = 0
        slotsGivenUp = 0
        blocksPassedOver = 0
    }

    func slotIndex(of ordinal: UInt32) -> Int { geometry.slotIndex(of: ordinal) }

    var isSegmentFull: Bool { next.blockIndex >= geometry.blocksPerSegment }

    /// The number of a segment's committed bytes; 0 if the medium does not hold it.
    @inline(never)
    func committedByteCount(of ordinal: UInt32) -> Int {
        let slot = slots[slotIndex(of: ordinal)]
        return slot.ordinal == ordinal ? Int(truncatingIfNeeded: slot.committedByteCount) : 0
    }

    /// Whether the segment is complete: nothing can be added to it, even after a fault of the medium.
    ///
    /// It is complete once its last block is written, or a later segment holds something. Blocks at its end
    /// whose writing failed without a trace do not complete it, because they may be written after a power
    /// cut.
    func isComplete(_ ordinal: UInt32) -> Bool {
        ordinal != newestOrdinal || committedByteCount(of: ordinal) == geometry.segmentByteCount
    }

    /// Records a segment found at mount.
    ///
    /// - Parameter blockCount: the number of its blocks up to the last one that holds anything.
    @inline(never)
    mutating func found(_ ordinal: UInt32, blockCount: Int) {
        record(ordinal, committedByteCount: blockCount * geometry.blockByteCount)
        if newestOrdinal == ordinal { next = Place(ordinal: ordinal, blockIndex: blockCount) }
    }

    private mutating func record(_ ordinal: UInt32, committedByteCount: Int) {
        slots[slotIndex(of: ordinal)] = Slot(
            ordinal: ordinal, committedByteCount: UInt32(truncatingIfNeeded: committedByteCount))
        if let newest = newestOrdinal, newest > ordinal { return }
        newestOrdinal = ordinal
    }

    // Slots that mounting could not read.

    func isUnclear(_ slot: Int) -> Bool { slots[slot].isUnclear }

    mutating func setUnclear(_ slot: Int, _ isUnclear: Bool) { slots[slot].isUnclear = isUnclear }

    /// Whether the segment recorded in a slot is of an earlier round of the ring than can still be retained.
    func isOutdated(_ slot: Int) -> Bool {
        let age = (newestOrdinal ?? 0) &- slots[slot].ordinal
        return slots[slot].committedByteCount > 0 && Int(truncatingIfNeeded: age) >= slots.count
    }

    mutating func countStaleBlocks(_ slot: Int) { slots[slot].holdsStaleBlock = true }

    /// Whether stale blocks are in the slot after the newest segment. Perhaps the next segment had begun
    /// there, and the newest is complete.
    var newestMayBeComplete: Bool {
        guard let newest = newestOrdinal else { return false }
        return slots[slotIndex(of: newest &+ 1)].holdsStaleBlock
    }

    /// Makes the next page begin another segment.
    mutating func leaveNewest() { next = Place(ordinal: next.ordinal, blockIndex: geometry.blocksPerSegment) }

    /// Whether a power cut may have interrupted the erasure of this old segment's slot. Its remaining bytes
    /// would then differ from what was written.
    func mayBeHalfErased(_ ordinal: UInt32) -> Bool {
        guard let newest = newestOrdinal, ordinal <= newest else { return false }
        let slotsInUse = geometry.segmentCount - 1 - Self.slotsToGiveUp
        return Int(truncatingIfNeeded: newest - ordinal) >= slotsInUse
    }

    /// Keeps only those slots unclear that follow the newest segment: no others can hold newer segments.
    /// Returns false if they are more than the log ever skips in a row.
    mutating func settleUnclearSlots() -> Bool {
        guard let newest = newestOrdinal else { return false }
        var count = 0
        while count < geometry.segmentCount,
            isUnclear(slotIndex(of: newest &+ UInt32(truncatingIfNeeded: count + 1)))
        {
            count += 1
        }
        for distance in count + 1..<geometry.segmentCount + 1 {
            setUnclear(slotIndex(of: newest &+ UInt32(truncatingIfNeeded: distance)), false)
        }
        return count <= Self.slotsToGiveUp
    }

    /// The ordinal of the segment to begin. Unclear slots are skipped until the ring's next round.
    mutating func ordinalToBegin() -> UInt32 {
        var ordinal = next.ordinal &+ 1
        while isUnclear(slotIndex(of: ordinal)) {
            setUnclear(slotIndex(of: ordinal), false)
            ordinal &+= 1
        }
        return ordinal
    }

    /// Records at `place` a page of `byteCount` bytes, which are whole units.
    mutating func commit(_ place: Place, byteCount: Int) {
        if let newest = newestOrdinal, newest != place.ordinal, committedByteCount(of: newest) > 0 {
            // That segment is now complete. Its last blocks are readable too, whatever they hold, as after
            // the next mount.
            record(newest, committedByteCount: geometry.segmentByteCount)
        }
        next = place
        next.offset += byteCount
        if next.offset >= geometry.blockByteCount { leaveBlock() }
        record(
            place.ordinal,
            committedByteCount: place.blockIndex * geometry.blockByteCount + place.offset + byteCount)
        failedStarts = 0
        slotsGivenUp = 0
        blocksPassedOver = 0
    }

    /// Makes the next page begin the next block.
    mutating func leaveBlock() { next = Place(ordinal: next.ordinal, blockIndex: next.blockIndex + 1) }

    /// Skips the rest of the block as unusable.
    ///
    /// A segment whose first blocks are all unusable would not be found at mount, so the log restarts it.
    /// After several unusable blocks in a row the log leaves the segment.
    mutating func passOver(_ place: Place) {
        next = place
        leaveBlock()
        blocksPassedOver += 1
        let isMarked = committedByteCount(of: place.ordinal) > 0
        if !isMarked, next.blockIndex >= Self.markingBlocks {
            startFailed(place.ordinal)
        } else if blocksPassedOver >= Self.blocksToPassOver {
            leaveNewest()
        }
    }

    /// Whether no other slot will be tried: so many have failed that the fault must be the device's.
    var isLastSlot: Bool { slotsGivenUp == Self.slotsToGiveUp && failedStarts >= Self.startAttempts }

    /// Forgets the contents of a segment's slot, whichever segment it holds, and returns them.
    mutating func forgetSlot(of ordinal: UInt32) -> Slot {
        let slot = slotIndex(of: ordinal)
        defer { slots[slot] = Slot() }
        return slots[slot]
    }

    /// Continues in the segment's first block: its slot has been erased.
    mutating func begin(_ ordinal: UInt32) {
        next = Place(ordinal: ordinal, blockIndex: 0)
        blocksPassedOver = 0
    }

    /// Records that blocks right before the next place were skipped before this mount.
    mutating func countPassedOver(_ count: Int) {
        blocksPassedOver = count
        if count >= Self.blocksToPassOver { leaveNewest() }
    }

    /// Records that the segment with this ordinal could not be begun. The next attempt uses the same slot, or
    /// the next one after too many failures.
    mutating func startFailed(_ ordinal: UInt32) {
        failedStarts += 1
        var lastOrdinal = ordinal &- 1
        if failedStarts == Self.startAttempts, slotsGivenUp < Self.slotsToGiveUp {
            failedStarts = 0
            slotsGivenUp += 1
            lastOrdinal = ordinal
        }
        next = Place(ordinal: lastOrdinal, blockIndex: geometry.blocksPerSegment)
        blocksPassedOver = 0
    }

    // The retained segments, oldest first.

    var oldestRetained: UInt32? {
        guard let newest = newestOrdinal else { return nil }
        let older = min(newest, UInt32(truncatingIfNeeded: geometry.segmentCount - 1))
        return firstRetained(from: newest - older)
    }

    func retained(after ordinal: UInt32) -> UInt32? {
        // Not beyond the largest ordinal: from 0 on the search would not end.
        ordinal < .max ? firstRetained(from: ordinal + 1) : nil
    }

    func retained(before ordinal: UInt32) -> UInt32? {
        for distance in 1..<UInt32(truncatingIfNeeded: geometry.segmentCount) where distance <= ordinal {
            if committedByteCount(of: ordinal - distance) > 0 { return ordinal - distance }
        }
        return nil
    }

    @inline(never)
    private func firstRetained(from first: UInt32) -> UInt32? {
        guard let newest = newestOrdinal, first <= newest else { return nil }
        var ordinal = first
        while committedByteCount(of: ordinal) == 0 {
            guard ordinal < newest else { return nil }
            ordinal += 1
        }
        return ordinal
    }
}
