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

    /// Finds what is on the medium. Writes nothing.
    init(mounting flash: consuming Flash) throws(LogError) {
        var map = try SegmentMap(geometry: flash.geometry)
        var scratch = try OpenPage.room(flash.geometry)
        found = try Self.recover(&flash, map: &map, scratch: &scratch)
        syncedThrough = found?.syncedThrough ?? .start
        foundRemains = map.newestMayBeClosed
        self.flash = flash
        self.map = map
        self.scratch = scratch
    }

    /// Programs whole units and syncs. After an error the rest of the block is passed over: the next attempt takes another.
    mutating func program(_ page: Span<UInt8>, at place: SegmentMap.Place) throws(LogError) {
        do throws(FlashError) {
            try flash.program(block: map.block(of: place), offset: place.offset, from: page)
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

    /// The next place that reads erased up to its block's end, in the newest segment or at the start of a new one.
    ///
    /// That it reads erased is checked every time: it is what keeps units from being programmed twice, whatever a power
    /// cut or a fault left behind.
    ///
    /// - Parameter byteCount: a place within a block is to have so much room at least.
    mutating func findFreePlace(room byteCount: Int) throws(LogError) -> SegmentMap.Place {
        if map.next.offset > 0, map.geometry.blockByteCount - map.next.offset < byteCount { map.leaveBlock() }
        if !map.isSegmentFull, let place = nextErasedPlace() { return place }
        try beginSegment()
        guard let place = nextErasedPlace() else { throw .eraseHadNoEffect }
        return place
    }

    private mutating func nextErasedPlace() -> SegmentMap.Place? {
        let ordinal = map.next.ordinal
        while map.next.ordinal == ordinal, !map.isSegmentFull {
            let place = map.next
            do throws(LogError) {
                let verdict = try Self.inspect(
                    &flash, block: map.block(of: place), from: place.offset, scratch: &scratch)
                if verdict.isErased { return place }
            } catch {
                // A block that cannot be read is of no use either.
            }
            counters.skippedBlocks &+= 1
            map.passOver(place)
        }
        return nil
    }

    /// Erases the slot of the next segment, with the oldest segment if the ring is full.
    private mutating func beginSegment() throws(LogError) {
        let ordinal = map.ordinalToBegin()
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
            return try Self.inspect(&flash, block: map.block(of: first), scratch: &scratch).isErased
        } catch {
            counters.putOffErasures &+= 1
            throw error
        }
    }
}
