import FixedMemory

/// The log on the board: a ring of segments on a flash device, and one open page in memory.
///
/// Entries gather in the open page. The log programs it when the next entry does not fit, or at ``commit()``.
/// From then on the page survives a power cut at any moment. No unit is programmed twice: docs/log-design.md
/// explains why.
public struct EncounterLog<Flash: FlashDevice & ~Copyable>: ~Copyable {
    public let geometry: FlashGeometry

    var ring: SegmentRing<Flash>
    private var maker: PageMaker
    private var page: OpenPage
    /// The buffer in which a page is built before it is programmed.
    private var made: FixedArray<UInt8>

    /// Takes over `flash`: finds the log on it and the place to continue, or formats it if every byte is 0x00
    /// or 0xFF. Formatting writes one page without entries, so that the log's identity is settled.
    ///
    /// - Parameters:
    ///   - newLogIdentity: random; becomes the log's identity if the medium is formatted now.
    ///   - bootIdentifier: random; goes into every segment header written from now on.
    ///   - seal: keys with which pages are sealed; nil leaves them in clear.
    ///   - isLinked: whether pages are chained; sealed pages always are.
    ///
    /// Throws `.mediumHoldsSomethingElse`, `.geometryMismatch`, `.unsupportedVersion` or
    /// `.blocksTooSmallToSeal`, each of which leaves the medium as it is; `.flash`, `.eraseHadNoEffect`,
    /// `.cannotSeal`, `.noMemory`.
    public init(
        mounting flash: consuming Flash, newLogIdentity: Bytes<16>, bootIdentifier: UInt64,
        seal: LogSeal? = nil, isLinked: Bool = true
    ) throws(LogError) {
        let geometry = flash.geometry
        var ring = try SegmentRing(mounting: flash, boardKey: seal?.boardKey)
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

    /// The log's identity, drawn when the medium was formatted.
    public var logIdentity: Bytes<16> { maker.logIdentity }

    public var bootIdentifier: UInt64 { maker.bootIdentifier }

    /// Whether the next page will be sealed.
    public var isSealed: Bool { maker.sealer.isSealed }

    /// The end of the log on the medium.
    public var head: LogHead { maker.head }

    /// The number of entries in memory, which a power cut would lose.
    public var openEntryCount: Int { page.entryCount }

    /// When the oldest entry in memory was appended; nil if there is none.
    public var oldestOpenEntry: Instant? { page.oldestEntry }

    /// Whether mounting found stale blocks without a readable page in the slot after the newest segment.
    ///
    /// They are the next segment's first page, torn by a power cut or damaged later. The log overwrites them,
    /// and nothing else reports them.
    public var foundStaleBlocks: Bool { ring.foundStaleBlocks }

    /// Whether mounting found pages at the end of the log that this board did not write.
    ///
    /// The log leaves them where they are, and does not continue from them.
    public var foundForeignPages: Bool { ring.found?.hasForeignPages ?? false }

    public var counters: LogCounters { ring.counters }

    /// Sets the current day; nil unless it is confirmed. Segment headers record the day on which they were
    /// made, and retention relies on that.
    public mutating func setDay(_ day: LogDay?) { maker.day = day }

    var day: LogDay? { maker.day }

    public var sealCounters: SealCounters { maker.sealer.counters }

    /// Whether ``prepareEpoch()`` has a slice left to do.
    public var hasWork: Bool { maker.sealer.hasWork }

    /// Does one slice of preparing the next epoch's keys ahead of time. An epoch that is not ready when
    /// needed is prepared on the spot.
    public mutating func prepareEpoch() throws(LogError) {
        try maker.prepareSlice()
        if maker.endEpoch(), ring.map.next.offset > 0 { ring.map.leaveBlock() }
    }

    /// Whether the medium's blocks are large enough for sealed pages.
    public var canBeSealed: Bool { PageMaker.canSeal(geometry) }

    /// Seals with other keys from the next epoch on, or seals a log that was in clear. That epoch begins once
    /// it is prepared (``hasWork`` is false again), and takes the entries in memory and all later ones.
    ///
    /// Throws `.blocksTooSmallToSeal`, and leaves the seal unchanged.
    public mutating func reseal(_ seal: LogSeal) throws(LogError) {
        guard canBeSealed else { throw .blocksTooSmallToSeal }
        maker.reseal(seal)
    }

    /// Adds an entry to the open page, first programming that page if the entry does not fit.
    ///
    /// After `.flash`, `.eraseHadNoEffect`, `.cannotSeal` or `.entryTooLong` this entry was not accepted.
    /// Earlier entries are still in memory, and the next call tries another place for them.
    ///
    /// - Parameter now: monotonic time, for ``oldestOpenEntry``.
    public mutating func append(_ entry: LogEntry, now: Instant) throws(LogError) {
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
        page.appendPrepared(savedByteCount: saved, now: now)
        maker.didAppendEntry(now: now)
    }

    /// Pads the open page, programs it and syncs, if it holds anything. When this returns, every entry
    /// appended so far survives a power cut. After an error, all unwritten entries are still in memory.
    @inline(never)
    public mutating func commit() throws(LogError) {
        while page.entryCount > 0 { try programOpenPage() }
    }

    /// Whether the prepared entry fits after the waiting entries in the page planned for them. If the place
    /// changes before the page is made, the last entries may go into the page after it.
    private func hasRoom(saving savedByteCount: Int) -> Bool {
        page.hasRoomForPrepared
            && page.packedByteCount + page.preparedByteCount - savedByteCount
                <= maker.capacity(at: ring.map.next)
    }

    private mutating func programOpenPage() throws(LogError) {
        try Self.program(&page, &made, &maker, &ring)
    }

    /// Programs the open page. After one failure it tries the next place immediately; `.cannotSeal` is not
    /// retried.
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
        maker.didWrite(made.span, entryCount: portion.entryCount, at: place)
        page.drop(portion)
    }

    // Destroyed in one place, because inlined copies enlarge the board's image.
    @inline(never)
    deinit {}
}
