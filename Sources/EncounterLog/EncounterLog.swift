import FixedMemory

/// The log on the board: a ring of segments on a flash device, and one open page in memory.
///
/// Entries gather in the open page. It is programmed when the next entry does not fit, or at ``commit()``; from
/// then on it survives a power cut at any moment. A page is never programmed twice: docs/log-design.md says why.
public struct EncounterLog<Flash: FlashDevice & ~Copyable>: ~Copyable {
    public let geometry: FlashGeometry
    /// Drawn when the medium was formatted.
    public let logIdentity: Bytes<16>
    public let bootIdentifier: UInt64

    var ring: SegmentRing<Flash>
    private var page: OpenPage

    /// Takes over `flash`: finds the log on it and the place to go on, or formats it if every byte of it is 0x00
    /// or 0xFF. Formatting writes one page without entries, so that the identity is settled.
    ///
    /// - Parameters:
    ///   - newLogIdentity: random; becomes the log's identity if the medium is formatted now.
    ///   - bootIdentifier: random; goes into the header of every page written from now on.
    ///
    /// Throws `.mediumHoldsSomethingElse`, `.geometryMismatch`, `.unsupportedVersion` or `.unsupportedFlags`,
    /// each of which leaves the medium as it is; `.flash`, `.eraseHadNoEffect`, `.noMemory`.
    public init(
        mounting flash: consuming Flash, newLogIdentity: Bytes<16>, bootIdentifier: UInt64
    ) throws(LogError) {
        let geometry = flash.geometry
        var ring = try SegmentRing(mounting: flash)
        var page = try OpenPage(geometry: geometry)
        if ring.foundIdentity == nil {
            try page.program(to: &ring, logIdentity: newLogIdentity, bootIdentifier: bootIdentifier)
        }
        self.geometry = geometry
        self.bootIdentifier = bootIdentifier
        logIdentity = ring.foundIdentity ?? newLogIdentity
        self.ring = ring
        self.page = page
    }

    /// Entries in memory that a power cut would take.
    public var openEntryCount: Int { page.entryCount }

    /// When the oldest of them was appended; nil if there is none.
    public var oldestOpenEntryMilliseconds: UInt64? { page.oldestEntryMilliseconds }

    public var counters: LogCounters { ring.counters }

    /// Adds an entry to the open page, first programming that page if the entry does not fit.
    ///
    /// After `.flash`, `.eraseHadNoEffect` or `.entryTooLong` this entry was not taken; those before it are still
    /// in memory, and the next call tries another place for them.
    ///
    /// - Parameter nowMilliseconds: monotonic time, for ``oldestOpenEntryMilliseconds``.
    public mutating func append(_ entry: LogEntry, nowMilliseconds: UInt64) throws(LogError) {
        try page.prepare(entry)
        if !page.hasRoom {
            do throws(LogError) {
                try programOpenPage()
            } catch {
                ring.counters.refusedEntries &+= 1
                throw error
            }
        }
        page.appendPrepared(nowMilliseconds: nowMilliseconds)
    }

    /// Pads the open page, programs it and syncs, if it holds anything. When this returns, every entry appended
    /// so far survives a power cut. After an error all of them are still in memory.
    public mutating func commit() throws(LogError) {
        if page.entryCount > 0 { try programOpenPage() }
    }

    private mutating func programOpenPage() throws(LogError) {
        try page.program(to: &ring, logIdentity: logIdentity, bootIdentifier: bootIdentifier)
    }
}
