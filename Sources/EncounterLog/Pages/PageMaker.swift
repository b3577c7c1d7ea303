import Cryptography
import FixedMemory

/// Makes pages out of entries: begins epochs, links each page to the one before, and seals it if the log is
/// sealed.
struct PageMaker: ~Copyable {
    /// The pages that belong to one segment header.
    private struct Epoch {
        var ordinal: UInt32
        var number: UInt8
        var segmentHeader: SegmentHeader
        /// The number of blocks that begin with the segment header.
        var headerCount = 0
        var writtenPageCount = 0
        var pageNumber: UInt16 = 0
    }

    let geometry: FlashGeometry
    let logIdentity: Bytes<16>
    let bootIdentifier: UInt64
    /// Whether pages are chained and state how far the log has been fetched.
    private var isLinked: Bool
    private(set) var sealer: PageSealer
    private var epoch: Epoch?
    /// The last epoch that mounting found, and its segment.
    private var epochBefore: (ordinal: UInt32, number: UInt8)?
    private(set) var head: LogHead
    /// Today; nil if unknown.
    var day: LogDay?
    private var tally: SegmentTally
    private var identities: IdentityTable
    /// Whether a page was made and its write is not confirmed yet.
    private var isUncertain = false

    init(
        geometry: FlashGeometry, logIdentity: Bytes<16>, bootIdentifier: UInt64, isLinked: Bool,
        seal: LogSeal?, tail: LogTail?
    ) throws(LogError) {
        let hasSeal = seal != nil
        guard !hasSeal || Self.canSeal(geometry) else { throw .blocksTooSmallToSeal }
        let identities = try IdentityTable()
        self.identities = identities
        self.geometry = geometry
        self.logIdentity = logIdentity
        self.bootIdentifier = bootIdentifier
        self.isLinked = isLinked || hasSeal
        sealer = PageSealer(seal)
        head = tail?.head ?? LogHead()
        tally = SegmentTally(bootIdentifier: bootIdentifier, mountedIn: tail?.segmentOrdinal)
        if let tail, let number = tail.epoch { epochBefore = (tail.segmentOrdinal, number) }
    }

    static func canSeal(_ geometry: FlashGeometry) -> Bool { geometry.blockByteCount >= 1_024 }

    /// Prepares the next epoch completely.
    mutating func prepare() throws(LogError) { while sealer.hasWork { try prepareSlice() } }

    mutating func prepareSlice() throws(LogError) {
        try sealer.prepareSlice(logIdentity: logIdentity, bootIdentifier: bootIdentifier, head: head)
    }

    /// Uses another seal from the next epoch on.
    mutating func reseal(_ seal: LogSeal) { sealer.reseal(seal) }

    /// Ends the epoch if the next one is ready and has another seal; returns true if the next page must begin
    /// a block. Until then pages keep the previous seal, or none.
    mutating func endEpoch() -> Bool {
        guard sealer.isEpochEnding else { return false }
        if let epoch { epochBefore = (epoch.ordinal, epoch.number) }
        epoch = nil
        sealer.endEpoch()
        isLinked = isLinked || sealer.hasSeal
        return true
    }

    /// The size of the entries that a page at this place can hold. Behind a segment's last block it is that
    /// of the next segment's first page.
    func capacity(at place: SegmentMap.Place) -> Int {
        guard place.blockIndex < geometry.blocksPerSegment else { return smallestCapacity }
        return max(0, geometry.blockByteCount - place.offset - overheadByteCount(at: place))
    }

    /// The smallest capacity of any page at a block's start.
    var smallestCapacity: Int {
        geometry.blockByteCount - overheadByteCount(hasHeader: true)
    }

    /// The size of everything but the entries in a page at this place. Counts a pending seal, because it may
    /// apply before the page is made.
    func overheadByteCount(at place: SegmentMap.Place) -> Int {
        overheadByteCount(hasHeader: header(at: place).hasHeader)
    }

    private func overheadByteCount(hasHeader: Bool) -> Int {
        PageHeader(
            isSealed: sealer.hasSeal, hasHeader: hasHeader, hasLink: isLinked || sealer.hasSeal, epoch: 0,
            contentByteCount: 0
        ).overheadByteCount
    }

    /// How many bytes an entry with this identity probably saves in a page.
    func savedByteCount(of identity: IdentityTable.Identity?) -> Int {
        identities.savedByteCount(of: identity)
    }

    /// Builds a page from the first of these entries, as many as fit, at the start of `page`. Reports them in
    /// `portion`, and returns the page's size on the medium.
    ///
    /// - Parameter syncedThrough: the acknowledged position, which the page states.
    mutating func make(
        _ page: inout MutableSpan<UInt8>, entries: Span<UInt8>, _ portion: inout OpenPage.Portion,
        at place: SegmentMap.Place, syncedThrough: LogPosition
    ) throws(LogError) -> Int {
        let capacity = capacity(at: place)
        try beginEpoch(at: place)
        // Entries must not refer to an identity in a page that may not exist.
        if isUncertain { identities.removeAll() }
        isUncertain = true
        guard var epoch else { throw .cannotSeal }
        var header = header(at: place)
        let position = place.position(in: geometry)
        let entryByteCount = identities.pack(
            entries, &portion, into: &page, at: header.prefixByteCount, capacity: capacity)
        let byteCount = header.overheadByteCount + entryByteCount
        header.contentByteCount = byteCount - PageHeader.byteCount
        var prefix = FixedBuffer<288>()
        do throws(CapacityError) {
            let start = header.encoded()
            try prefix.append(start)
            try prefix.append(littleEndian: 0 as UInt32)
            if header.hasHeader { try epoch.segmentHeader.encode(into: &prefix, header: start) }
            if header.hasLink {
                let link = PageLink(
                    chainValue: head.chainValue, pageNumber: sealer.pageNumber ?? epoch.pageNumber,
                    entryCount: UInt16(clamping: portion.entryCount), syncedThrough: syncedThrough)
                try link.encode(into: &prefix)
            }
        } catch {
            preconditionFailure("header, segment header and link make 282 bytes at most")
        }
        for index in 0..<prefix.count { page[index] = prefix[index] }
        if sealer.isSealed {
            try sealer.seal(&page, prefix: prefix.span, entryByteCount: entryByteCount, at: position)
        }
        epoch.pageNumber &+= 1
        self.epoch = epoch

        let checksum = LogPage.checksum(of: page.span.extracting(0..<byteCount), at: position)
        for index in 0..<4 {
            page[PageHeader.checksumOffset + index] = UInt8(
                truncatingIfNeeded: checksum >> UInt32(truncatingIfNeeded: 8 * index))
        }
        let programmed = geometry.programmedByteCount(byteCount)
        for index in byteCount..<programmed { page[index] = 0xff }
        return programmed
    }

    /// Records that a page from ``make`` is on the medium.
    mutating func didWrite(_ page: Span<UInt8>, entryCount: Int, at place: SegmentMap.Place) {
        let position = place.position(in: geometry)
        let content = Int(page.loadUInt16(at: 2))
        let bytes = page.extracting(0..<PageHeader.byteCount + content)
        head.position = position.moved(byBytes: bytes.count)
        if isLinked { head.chainValue = LogPage.chainValue(of: bytes, at: position) }
        if place.offset == 0, header(at: place).hasHeader { epoch?.headerCount += 1 }
        epoch?.writtenPageCount += 1
        isUncertain = false
        tally.didWrite(entryCount)
    }

    /// Records when an entry was accepted.
    mutating func didAppendEntry(now: Instant) { tally.didAppendEntry(now: now) }

    /// The header for a page at this place. The epoch's second page repeats the segment header, like the
    /// first pages of its blocks, because an epoch may end in its first block.
    private func header(at place: SegmentMap.Place) -> PageHeader {
        let isSame = epoch?.ordinal == place.ordinal
        let headerCount = isSame ? epoch?.headerCount ?? 0 : 0
        let isSecond = isSame && epoch?.writtenPageCount == 1
        let isMark = place.offset == 0 && headerCount < SegmentMap.markingBlocks
        return PageHeader(
            isSealed: sealer.isSealed, hasHeader: isMark || isSecond,
            hasLink: isLinked, epoch: epoch?.number ?? 0, contentByteCount: 0)
    }

    /// Begins an epoch, unless the place belongs to the current one. A restarted segment gets a new epoch
    /// each time, because no two pages may be sealed with the same key.
    private mutating func beginEpoch(at place: SegmentMap.Place) throws(LogError) {
        if let epoch, epoch.ordinal == place.ordinal, !isRestart(place) { return }
        var segmentHeader = SegmentHeader(
            geometry: geometry, segmentOrdinal: place.ordinal, bootIdentifier: bootIdentifier,
            logIdentity: logIdentity, predecessor: nil)
        segmentHeader.day = day
        let number =
            epochBefore?.ordinal == place.ordinal ? ((epochBefore?.number ?? 0) &+ 1) & 0x0f : 0
        if sealer.hasSeal {
            segmentHeader.seal = try sealer.beginEpoch(
                logIdentity: logIdentity, bootIdentifier: bootIdentifier, head: head,
                segmentOrdinal: place.ordinal, epoch: number)
            isLinked = true
        }
        segmentHeader.predecessor =
            epoch?.ordinal == place.ordinal ? epoch?.segmentHeader.predecessor : tally.begin(place.ordinal)
        epoch = Epoch(ordinal: place.ordinal, number: number, segmentHeader: segmentHeader)
        // A reader of this epoch may lack the previous segment, or the key of another epoch.
        identities.removeAll()
    }

    /// Whether the segment was erased and nothing of it was written since.
    private func isRestart(_ place: SegmentMap.Place) -> Bool {
        place.blockIndex == 0 && place.offset == 0 && (epoch?.pageNumber ?? 0) > 0
    }

    // Destroyed in one place, because inlined copies enlarge the board's image.
    @inline(never)
    deinit {}
}
