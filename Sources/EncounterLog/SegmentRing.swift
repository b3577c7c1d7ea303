import FixedMemory

/// The flash device with the map of what stands on it: finds the place for each next page and programs it.
struct SegmentRing<Flash: FlashDevice & ~Copyable>: ~Copyable {
    var flash: Flash
    var map: SegmentMap
    var counters = LogCounters()
    private var pause = ErasurePause()
    /// The identity in the newest segment's header; nil if the medium is blank.
    let foundIdentity: Bytes<16>?

    /// Finds what is on the medium. Writes nothing.
    init(mounting flash: consuming Flash) throws(LogError) {
        var map = try SegmentMap(geometry: flash.geometry)
        foundIdentity = try Self.recover(&flash, map: &map)
        self.flash = flash
        self.map = map
    }

    /// Programs one page and syncs. After an error the page is passed over: the next attempt takes another place.
    mutating func program(_ page: borrowing FixedArray<UInt8>, at place: SegmentMap.Place) throws(LogError) {
        let pageNumber = map.page(of: place)
        do throws(FlashError) {
            try flash.program(page: pageNumber, from: page.span)
            try flash.sync()
        } catch {
            counters.flashFailures &+= 1
            // Whatever it left may read erased.
            pause.end()
            map.passOver(place)
            throw .flash(error)
        }
        counters.programmedPages &+= 1
        pause.end()
        map.commit(place)
    }

    /// The next page that reads erased, in the newest segment or at the start of a new one.
    ///
    /// That it reads erased is checked every time: it is what keeps a page from being programmed twice, whatever
    /// a power cut or a fault left behind.
    mutating func findFreePage() throws(LogError) -> SegmentMap.Place {
        if map.next.pageIndex < map.geometry.pagesPerSegment, let place = nextErasedPage() { return place }
        try beginSegment()
        guard let place = nextErasedPage() else { throw .eraseHadNoEffect }
        return place
    }

    private mutating func nextErasedPage() -> SegmentMap.Place? {
        let ordinal = map.next.ordinal
        while map.next.ordinal == ordinal, map.next.pageIndex < map.geometry.pagesPerSegment {
            let place = map.next
            do throws(LogError) {
                if try Self.inspect(&flash, page: map.page(of: place)).isErased { return place }
            } catch {
                // A page that cannot be read is of no use either.
            }
            counters.skippedPages &+= 1
            map.passOver(place)
        }
        return nil
    }

    /// Erases the slot of the next segment, with the oldest segment if the ring is full.
    private mutating func beginSegment() throws(LogError) {
        let ordinal = map.ordinalToBegin()
        if try isErasedAlready(ordinal) { return map.begin(ordinal) }
        let overwrittenPages = map.forgetSlot(of: ordinal)
        if overwrittenPages > 0 {
            counters.overwrittenSegments &+= 1
            counters.overwrittenPages &+= overwrittenPages
        }
        do throws(FlashError) {
            try flash.erase(segment: map.slotIndex(of: ordinal))
            // Else the new segment's first page might land before the old one's last are gone.
            try flash.sync()
        } catch {
            counters.flashFailures &+= 1
            pause.end()
            map.startFailed(ordinal)
            throw .flash(error)
        }
        pause.noteErasure(of: ordinal)
        map.begin(ordinal)
    }

    /// Whether the segment was erased before, and only could not be read then. While it still cannot, and its slot is
    /// the last one there is to try, it is erased again only after a pause that grows.
    private mutating func isErasedAlready(_ ordinal: UInt32) throws(LogError) -> Bool {
        guard map.isLastSlot, pause.putsOff(ordinal) else { return false }
        do throws(LogError) {
            return try Self.inspect(
                &flash, page: map.page(of: SegmentMap.Place(ordinal: ordinal, pageIndex: 0))
            )
            .isErased
        } catch {
            counters.putOffErasures &+= 1
            throw error
        }
    }
}
