import Cryptography
import FixedMemory

/// The flash device and the map of its slots: finds the place for each next page and programs it.
struct SegmentRing<Flash: FlashDevice & ~Copyable>: ~Copyable {
    var flash: Flash
    var map: SegmentMap
    var counters = LogCounters()
    /// A buffer for the block being examined.
    var scratch: FixedArray<UInt8>
    var pause = ErasurePause()
    /// The position up to which the log is known to be stored elsewhere.
    var syncedThrough: LogPosition
    /// The erased range that is still to be reported.
    var gap: GapEntry?
    /// The log's end as found at mount; nil if the medium was blank.
    let found: LogTail?
    /// Whether mounting found stale blocks in the slot after the newest segment.
    let foundStaleBlocks: Bool
    /// Whether segments begin without an erasure.
    let isOverwritten: Bool

    /// Finds what is on the medium. Writes nothing.
    ///
    /// - Parameter boardKey: the key with which the board signs its epochs; nil to believe all pages.
    init(mounting flash: consuming Flash, boardKey: P256PublicKey?) throws(LogError) {
        var map = try SegmentMap(geometry: flash.geometry)
        var scratch = try OpenPage.room(flash.geometry)
        found = try Self.recoverOwn(&flash, map: &map, scratch: &scratch, boardKey: boardKey)
        syncedThrough = found?.syncedThrough ?? .start
        foundStaleBlocks = map.newestMayBeComplete
        isOverwritten = Self.isOverwritten(flash)
        self.flash = flash
        self.map = map
        self.scratch = scratch
    }

    static func isOverwritten(_ flash: borrowing Flash) -> Bool {
        flash.isOverwritable && flash.geometry.unitByteCount == flash.geometry.blockByteCount
    }

    /// Programs whole units and syncs. After an error the rest of the block is skipped, and the next attempt
    /// takes another place.
    mutating func program(_ page: Span<UInt8>, at place: SegmentMap.Place) throws(LogError) {
        do throws(FlashError) {
            try flash.program(block: place.block(in: map.geometry), offset: place.offset, from: page)
            try flash.sync()
        } catch {
            counters.flashFailures &+= 1
            // The failed write may have left bytes that read as erased.
            pause.end()
            map.passOver(place)
            throw .flash(error)
        }
        counters.programmedPages &+= 1
        counters.programmedBytes &+= UInt64(truncatingIfNeeded: page.count)
        pause.end()
        map.commit(place, byteCount: page.count)
    }

    /// The next place that is free up to its block's end, in the newest segment or at the start of a new one.
    ///
    /// The place is checked for being free. This keeps units from being programmed twice, and pages from
    /// being overwritten, whatever a power cut or a fault left behind.
    ///
    /// - Parameter byteCount: the least room that a place within a block must have.
    mutating func findFreePlace(room byteCount: Int) throws(LogError) -> SegmentMap.Place {
        if map.next.offset > 0, map.geometry.blockByteCount - map.next.offset < byteCount { map.leaveBlock() }
        if !map.isSegmentFull, let place = nextFreePlace() { return place }
        try beginSegment()
        guard let place = nextFreePlace() else { throw .eraseHadNoEffect }
        return place
    }

    private mutating func nextFreePlace() -> SegmentMap.Place? {
        let ordinal = map.next.ordinal
        while map.next.ordinal == ordinal, !map.isSegmentFull {
            let place = map.next
            do throws(LogError) {
                if try isFree(place) { return place }
            } catch {
                // A block that cannot be read is unusable, too.
            }
            counters.skippedBlocks &+= 1
            map.passOver(place)
        }
        return nil
    }

    private mutating func isFree(_ place: SegmentMap.Place) throws(LogError) -> Bool {
        // The log's very first page goes to erased blocks, so that a torn one is recognised.
        guard isOverwritten, map.newestOrdinal != nil else {
            return try Self.inspect(
                &flash, block: place.block(in: map.geometry), from: place.offset, scratch: &scratch
            ).isErased
        }
        // A segment begun since the mount has nothing after its last page.
        guard place.ordinal == found?.segmentOrdinal else { return true }
        return try !Self.holds(&flash, place, geometry: map.geometry, scratch: &scratch)
    }

    /// Makes room for the next segment, by dropping the oldest one if the ring is full. Erases the slot, or
    /// leaves it to be overwritten.
    private mutating func beginSegment() throws(LogError) {
        let ordinal = map.ordinalToBegin()
        if isOverwritten, map.newestOrdinal != nil {
            // Erased first, because the rest of the previous segment becomes readable now.
            do throws(LogError) { try eraseStaleBlocks() } catch {}
            recordOverwritten(map.forgetSlot(of: ordinal))
            return map.begin(ordinal)
        }
        if try isErasedAlready(ordinal) { return map.begin(ordinal) }
        recordOverwritten(map.forgetSlot(of: ordinal))
        do throws(LogError) {
            // Synced: otherwise the new segment's first page might reach the medium before the old pages are
            // gone.
            try eraseSlot(of: ordinal)
        } catch {
            pause.end()
            map.startFailed(ordinal)
            throw error
        }
        pause.didErase(of: ordinal)
        map.begin(ordinal)
    }

    /// Whether the segment was already erased and merely could not be read afterwards.
    ///
    /// While it still cannot be read, and no other slot is left to try, the log erases it again only after a
    /// growing pause.
    private mutating func isErasedAlready(_ ordinal: UInt32) throws(LogError) -> Bool {
        guard map.isLastSlot, pause.putsOff(ordinal) else { return false }
        do throws(LogError) {
            let first = SegmentMap.Place(ordinal: ordinal, blockIndex: 0)
            return try Self.inspect(&flash, block: first.block(in: map.geometry), scratch: &scratch).isErased
        } catch {
            counters.putOffErasures &+= 1
            throw error
        }
    }
}
