import FixedMemory

/// The flash device with the map of what stands on it: finds the place for each next page and programs it.
struct SegmentRing<Flash: FlashDevice & ~Copyable>: ~Copyable {
    var flash: Flash
    var map: SegmentMap
    var counters = LogCounters()
    /// Room for a block that is looked at.
    var scratch: FixedArray<UInt8>
    var pause = ErasurePause()
    /// So far the log is known to be safe elsewhere.
    var syncedThrough: LogPosition
    /// What was erased and has to be told.
    var gap: GapEntry?
    /// What the log on the medium says of itself; nil if the medium is blank.
    let found: LogTail?
    /// Behind the newest segment, at mount.
    let foundRemains: Bool
    /// Segments are begun without an erasure.
    let isOverwritten: Bool

    /// Finds what is on the medium. Writes nothing.
    init(mounting flash: consuming Flash) throws(LogError) {
        var map = try SegmentMap(geometry: flash.geometry)
        var scratch = try OpenPage.room(flash.geometry)
        found = try Self.recover(&flash, map: &map, scratch: &scratch)
        syncedThrough = found?.syncedThrough ?? .start
        foundRemains = map.newestMayBeClosed
        isOverwritten = Self.isOverwritten(flash)
        self.flash = flash
        self.map = map
        self.scratch = scratch
    }

    static func isOverwritten(_ flash: borrowing Flash) -> Bool {
        flash.isOverwritable && flash.geometry.unitByteCount == flash.geometry.blockByteCount
    }

    /// Programs whole units and syncs. After an error the rest of the block is passed over: the next attempt takes another.
    mutating func program(_ page: Span<UInt8>, at place: SegmentMap.Place) throws(LogError) {
        do throws(FlashError) {
            try flash.program(block: place.block(in: map.geometry), offset: place.offset, from: page)
            try flash.sync()
        } catch {
            counters.flashFailures &+= 1
            // Whatever it left may read erased.
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
    /// That it is free is checked: it is what keeps units from being programmed twice, whatever a power cut or a fault
    /// left behind, and a page from being overwritten.
    ///
    /// - Parameter byteCount: a place within a block is to have so much room at least.
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
                // A block that cannot be read is of no use either.
            }
            counters.skippedBlocks &+= 1
            map.passOver(place)
        }
        return nil
    }

    private mutating func isFree(_ place: SegmentMap.Place) throws(LogError) -> Bool {
        // The first page of all is written on erased ground, for what is torn there to be known.
        guard isOverwritten, map.newestOrdinal != nil else {
            return try Self.inspect(
                &flash, block: place.block(in: map.geometry), from: place.offset, scratch: &scratch
            ).isErased
        }
        // A segment that was begun since the mount has no page behind the last.
        guard place.ordinal == found?.segmentOrdinal else { return true }
        return try !Self.holds(&flash, place, geometry: map.geometry, scratch: &scratch)
    }

    /// Makes room for the next segment, with the oldest one's if the ring is full: erases the slot, or gives it to be
    /// overwritten.
    private mutating func beginSegment() throws(LogError) {
        let ordinal = map.ordinalToBegin()
        if isOverwritten, map.newestOrdinal != nil {
            // What the segment before has left over is read from now on.
            do throws(LogError) { try eraseRemains() } catch {}
            noteOverwritten(map.forgetSlot(of: ordinal))
            return map.begin(ordinal)
        }
        if try isErasedAlready(ordinal) { return map.begin(ordinal) }
        noteOverwritten(map.forgetSlot(of: ordinal))
        do throws(LogError) {
            // Synced: else the new segment's first page might land before the old one's last are gone.
            try eraseSlot(of: ordinal)
        } catch {
            pause.end()
            map.startFailed(ordinal)
            throw error
        }
        pause.noteErasure(of: ordinal)
        map.begin(ordinal)
    }

    /// Whether the segment was erased before, and only could not be read then. While it still cannot, and its slot is
    /// the last one there is to try, it is erased again only after a pause that grows.
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
