import FixedMemory

/// Which segment stands in which slot of the medium, how much of it is committed, and where the next page goes.
struct SegmentMap: ~Copyable {
    /// Units that were not programmed since their segment was erased: from `offset` in a block to its end.
    struct Place: Equatable {
        var ordinal: UInt32
        var blockIndex: Int
        var offset = 0

        /// Counted over the whole medium.
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
        /// None: the slot holds nothing to read.
        var committedByteCount: UInt32 = 0
        /// It may hold a segment that could not be read at mount.
        var isUnclear = false
        /// At mount it held something of which nothing is a page any more.
        var holdsRemains = false
    }

    let geometry: FlashGeometry
    private var slots: FixedArray<Slot>

    /// Where the next page goes, if it is free; a `blockIndex` behind the segment's last block means that the next
    /// segment is to be begun.
    var next: Place
    /// The newest segment that holds something, if any does.
    private(set) var newestOrdinal: UInt32?
    /// Attempts at beginning a segment that failed since a page was last programmed, and slots given up.
    private var failedStarts = 0
    private var slotsGivenUp = 0
    /// Blocks passed over in a row.
    private var blocksPassedOver = 0

    /// A segment is found at mount by the first page in one of its first blocks: one of these must have a readable opening.
    static var markingBlocks: Int { 2 }
    /// So many blocks in a row are passed over at most before the segment is left: mounting need not look further than that
    /// behind a block of which nothing was written.
    static var blocksToPassOver: Int { 4 }
    /// So often a segment is tried to be begun in a slot before the slot is left until the ring comes round again.
    static var startAttempts: Int { 8 }
    /// So many slots in a row are given up at most. If more are of no use, the device is, and to go on would only
    /// cost the segments that can still be read.
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

    func slotIndex(of ordinal: UInt32) -> Int { geometry.slotIndex(of: ordinal) }

    var isSegmentFull: Bool { next.blockIndex >= geometry.blocksPerSegment }

    /// What is committed of a segment; 0 if the medium does not hold it.
    @inline(never)
    func committedByteCount(of ordinal: UInt32) -> Int {
        let slot = slots[slotIndex(of: ordinal)]
        return slot.ordinal == ordinal ? Int(truncatingIfNeeded: slot.committedByteCount) : 0
    }

    /// Nothing will be added to it any more, whatever befalls the medium: its last block holds something and is left, or a
    /// later segment holds something. Blocks at its end that failed without a trace do not close it: after a power cut they
    /// may be written.
    func isClosed(_ ordinal: UInt32) -> Bool {
        ordinal != newestOrdinal || committedByteCount(of: ordinal) == geometry.segmentByteCount
    }

    /// `blockCount`: of its first blocks, up to the last that holds anything.
    @inline(never)
    mutating func found(_ ordinal: UInt32, blockCount: Int) {
        note(ordinal, committedByteCount: blockCount * geometry.blockByteCount)
        if newestOrdinal == ordinal { next = Place(ordinal: ordinal, blockIndex: blockCount) }
    }

    private mutating func note(_ ordinal: UInt32, committedByteCount: Int) {
        slots[slotIndex(of: ordinal)] = Slot(
            ordinal: ordinal, committedByteCount: UInt32(truncatingIfNeeded: committedByteCount))
        if let newest = newestOrdinal, newest > ordinal { return }
        newestOrdinal = ordinal
    }

    // What mounting could not read.

    func isUnclear(_ slot: Int) -> Bool { slots[slot].isUnclear }

    mutating func setUnclear(_ slot: Int, _ isUnclear: Bool) { slots[slot].isUnclear = isUnclear }

    mutating func noteRemains(_ slot: Int) { slots[slot].holdsRemains = true }

    /// Whether remains stand right behind the newest segment: perhaps of one with which that was closed.
    var newestMayBeClosed: Bool {
        guard let newest = newestOrdinal else { return false }
        return slots[slotIndex(of: newest &+ 1)].holdsRemains
    }

    /// The next page goes into another segment, in any case.
    mutating func leaveNewest() { next = Place(ordinal: next.ordinal, blockIndex: geometry.blocksPerSegment) }

    /// Whether the segment is so old that its slot was perhaps being erased when power went: what was left of it would
    /// not be what it was.
    func mayBeHalfErased(_ ordinal: UInt32) -> Bool {
        guard let newest = newestOrdinal, ordinal <= newest else { return false }
        let slotsInUse = geometry.segmentCount - 1 - Self.slotsToGiveUp
        return Int(truncatingIfNeeded: newest - ordinal) >= slotsInUse
    }

    /// Of the unclear slots, only those right behind the newest segment can hold newer ones: these stay unclear. False if
    /// there are more than are ever left alone in a row.
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

    /// The ordinal of the segment to be begun. Unclear slots are left alone until the ring comes round again.
    mutating func ordinalToBegin() -> UInt32 {
        var ordinal = next.ordinal &+ 1
        while isUnclear(slotIndex(of: ordinal)) {
            setUnclear(slotIndex(of: ordinal), false)
            ordinal &+= 1
        }
        return ordinal
    }

    /// A page of so many bytes, in whole units, was written at `place`.
    mutating func commit(_ place: Place, byteCount: Int) {
        if let newest = newestOrdinal, newest != place.ordinal, committedByteCount(of: newest) > 0 {
            // Closed now. Its last blocks are read too, whatever they hold, as after the next mount.
            note(newest, committedByteCount: geometry.segmentByteCount)
        }
        next = place
        next.offset += byteCount
        if next.offset >= geometry.blockByteCount { leaveBlock() }
        note(
            place.ordinal,
            committedByteCount: place.blockIndex * geometry.blockByteCount + place.offset + byteCount)
        failedStarts = 0
        slotsGivenUp = 0
        blocksPassedOver = 0
    }

    /// The next page goes into the next block.
    mutating func leaveBlock() { next = Place(ordinal: next.ordinal, blockIndex: next.blockIndex + 1) }

    /// The rest of the block is of no use. A segment whose first blocks all are would not be found at mount: it has to be
    /// begun again. One of which several in a row are is left.
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

    /// No other slot will be tried than the one that is: so many were of no use that it must be the device.
    var isLastSlot: Bool { slotsGivenUp == Self.slotsToGiveUp && failedStarts >= Self.startAttempts }

    /// Forgets what the slot of a segment holds, be it that segment or another, and returns it.
    mutating func forgetSlot(of ordinal: UInt32) -> Slot {
        let slot = slotIndex(of: ordinal)
        defer { slots[slot] = Slot() }
        return slots[slot]
    }

    /// The slot is erased: its blocks follow.
    mutating func begin(_ ordinal: UInt32) {
        next = Place(ordinal: ordinal, blockIndex: 0)
        blocksPassedOver = 0
    }

    /// Before this mount so many blocks in a row were passed over, right before the next place.
    mutating func notePassedOver(_ count: Int) {
        blocksPassedOver = count
        if count >= Self.blocksToPassOver { leaveNewest() }
    }

    /// The segment with this ordinal could not be begun: it is tried again, or the one after it in the next slot.
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
        // Not behind the last number there is: from 0 on the search would be without end.
        ordinal < .max ? firstRetained(from: ordinal + 1) : nil
    }

    func retained(before ordinal: UInt32) -> UInt32? {
        for distance in 1..<UInt32(truncatingIfNeeded: geometry.segmentCount) where distance <= ordinal {
            if committedByteCount(of: ordinal - distance) > 0 { return ordinal - distance }
        }
        return nil
    }

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
