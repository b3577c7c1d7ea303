import FixedMemory

/// The log on the board: a ring of segments on a flash device, and one open page in memory.
///
/// Entries gather in the open page. It is programmed when the next entry does not fit, or at ``commit()``; from
/// then on it survives a power cut at any moment. No unit is programmed twice: docs/log-design.md says why.
public struct EncounterLog<Flash: FlashDevice & ~Copyable>: ~Copyable {
    public let geometry: FlashGeometry

    var ring: SegmentRing<Flash>
    private var maker: PageMaker
    private var page: OpenPage
    /// Where a page is made, to be programmed.
    private var made: FixedArray<UInt8>

    /// Takes over `flash`: finds the log on it and the place to go on, or formats it if every byte of it is 0x00
    /// or 0xFF. Formatting writes one page without entries, so that the identity is settled.
    ///
    /// - Parameters:
    ///   - newLogIdentity: random; becomes the log's identity if the medium is formatted now.
    ///   - bootIdentifier: random; goes into the openings of all pages written from now on.
    ///   - seal: keys to seal pages with; nil leaves them in clear.
    ///   - isLinked: whether pages are chained; sealed ones are in any case.
    ///
    /// Throws `.mediumHoldsSomethingElse`, `.geometryMismatch`, `.unsupportedVersion` or `.blocksTooSmallToSeal`,
    /// each of which leaves the medium as it is; `.flash`, `.eraseHadNoEffect`, `.cannotSeal`, `.noMemory`.
    public init(
        mounting flash: consuming Flash, newLogIdentity: Bytes<16>, bootIdentifier: UInt64,
        seal: LogSeal? = nil, isLinked: Bool = true
    ) throws(LogError) {
        let geometry = flash.geometry
        var ring = try SegmentRing(mounting: flash)
        var page = try OpenPage(geometry: geometry)
        var made = try OpenPage.room(geometry)
        var maker = try PageMaker(
            geometry: geometry, logIdentity: ring.found?.logIdentity ?? newLogIdentity,
            bootIdentifier: bootIdentifier, isLinked: isLinked, seal: seal, tail: ring.found)
        try maker.prepare()
        if ring.found == nil { try Self.program(&page, &made, &maker, &ring) }
        self.geometry = geometry
        self.ring = ring
        self.page = page
        self.made = made
        self.maker = maker
    }

    /// Drawn when the medium was formatted.
    public var logIdentity: Bytes<16> { maker.logIdentity }

    public var bootIdentifier: UInt64 { maker.bootIdentifier }

    /// Whether the next page will be sealed.
    public var isSealed: Bool { maker.isSealed }

    /// How far the log goes on the medium.
    public var head: LogHead { maker.head }

    /// Entries in memory that a power cut would take.
    public var openEntryCount: Int { page.entryCount }

    /// When the oldest of them was appended; nil if there is none.
    public var oldestOpenEntryMilliseconds: UInt64? { page.oldestEntryMilliseconds }

    /// Whether mounting found, right behind the newest segment, something of which nothing is a page: the first page of
    /// the next one, torn by a power cut, or damaged since. It is overwritten; nothing else will tell of it.
    public var foundRemains: Bool { ring.foundRemains }

    public var counters: LogCounters { ring.counters }

    /// Which day it is; nil when nobody knows. Segments say on which they were begun.
    public mutating func note(day: LogDay?) { maker.day = day }

    var day: LogDay? { maker.day }

    public var sealCounters: SealCounters { maker.counters }

    /// Whether ``prepareEpoch()`` has something to do.
    public var hasWork: Bool { maker.hasWork }

    /// Does one slice of making the keys of the next epoch ahead of time. An epoch that is not ready when it is needed is
    /// made then.
    public mutating func prepareEpoch() throws(LogError) {
        try maker.prepareSlice()
        if maker.leaveEpoch(), ring.map.next.offset > 0 { ring.map.leaveBlock() }
    }

    /// Whether the medium's blocks are large enough for sealed pages.
    public var canBeSealed: Bool { PageMaker.canSeal(geometry) }

    /// Seals with other keys, or seals what was in clear: an epoch of its own begins as soon as it is prepared, which is
    /// when ``hasWork`` is false again. Entries that are in memory then go into it, and all after them.
    ///
    /// Throws `.blocksTooSmallToSeal`, and goes on as before.
    public mutating func reseal(_ seal: LogSeal) throws(LogError) {
        guard canBeSealed else { throw .blocksTooSmallToSeal }
        maker.reseal(seal)
    }

    /// Adds an entry to the open page, first programming that page if the entry does not fit.
    ///
    /// After `.flash`, `.eraseHadNoEffect`, `.cannotSeal` or `.entryTooLong` this entry was not taken; those before it are
    /// still in memory, and the next call tries another place for them.
    ///
    /// - Parameter nowMilliseconds: monotonic time, for ``oldestOpenEntryMilliseconds``.
    public mutating func append(_ entry: LogEntry, nowMilliseconds: UInt64) throws(LogError) {
        try page.prepare(entry, limit: maker.smallestCapacity)
        let saved = maker.savedByteCount(of: page.preparedIdentity)
        while !hasRoom(saving: saved) {
            guard page.entryCount > 0 else {
                ring.map.leaveBlock()
                continue
            }
            do throws(LogError) {
                try programOpenPage()
            } catch {
                ring.counters.refusedEntries &+= 1
                throw error
            }
        }
        page.appendPrepared(savedByteCount: saved, nowMilliseconds: nowMilliseconds)
        maker.noteEntry(nowMilliseconds: nowMilliseconds)
    }

    /// Pads the open page, programs it and syncs, if it holds anything. When this returns, every entry appended
    /// so far survives a power cut. After an error all that were not written are still in memory.
    @inline(never)
    public mutating func commit() throws(LogError) {
        while page.entryCount > 0 { try programOpenPage() }
    }

    /// Whether the prepared entry fits behind those that wait, in the page where these are to go. If that becomes another in
    /// the meantime, it may be that not all do: the last ones then go into the page behind it.
    private func hasRoom(saving savedByteCount: Int) -> Bool {
        page.hasRoomForPrepared
            && page.packedByteCount + page.preparedByteCount - savedByteCount
                <= maker.capacity(at: ring.map.next)
    }

    private mutating func programOpenPage() throws(LogError) {
        try Self.program(&page, &made, &maker, &ring)
    }

    /// One failure is put up with here: the place after it is tried at once.
    private static func program(
        _ page: inout OpenPage, _ made: inout FixedArray<UInt8>, _ maker: inout PageMaker,
        _ ring: inout SegmentRing<Flash>
    ) throws(LogError) {
        do throws(LogError) {
            try programOnce(&page, &made, &maker, &ring)
        } catch {
            if error == .cannotSeal { throw error }
            try programOnce(&page, &made, &maker, &ring)
        }
    }

    @inline(never)
    private static func programOnce(
        _ page: inout OpenPage, _ made: inout FixedArray<UInt8>, _ maker: inout PageMaker,
        _ ring: inout SegmentRing<Flash>
    ) throws(LogError) {
        let place = try ring.findFreePlace(
            room: maker.overheadByteCount(at: ring.map.next) + page.firstEntryByteCount)
        var bytes = made.mutableSpan
        var portion = OpenPage.Portion()
        let byteCount = try maker.make(
            &bytes, entries: page.entries, &portion, at: place, syncedThrough: ring.syncedThrough)
        try ring.program(made.span.extracting(0..<byteCount), at: place)
        maker.noteWritten(made.span, entryCount: portion.entryCount, at: place)
        page.drop(portion)
    }

    // Ended in one place, not wherever one is given up: for the image's size.
    @inline(never)
    deinit {}
}
