import FixedMemory

/// The page in memory that entries are appended to: room for the header, the entries so far, then 0xFF.
struct OpenPage: ~Copyable {
    private let geometry: FlashGeometry
    private var bytes: FixedArray<UInt8>
    private var end = PageHeader.byteCount
    /// The entry that is to be appended. Kept from one to the next: to clear it each time would cost more than all
    /// the rest of appending.
    private var kind = LogEntry.Kind.boot
    private var body = LogEntry.BodyBuffer()

    private(set) var entryCount = 0
    private(set) var oldestEntryMilliseconds: UInt64?

    init(geometry: FlashGeometry) throws(LogError) {
        do throws(MemoryError) {
            bytes = try FixedArray(count: geometry.pageByteCount, repeating: 0xff)
        } catch {
            throw .noMemory(byteCount: error.byteCount)
        }
        self.geometry = geometry
    }

    /// Makes an entry ready to be appended. `.entryTooLong` if no page could hold it.
    mutating func prepare(_ entry: LogEntry) throws(LogError) {
        kind = entry.kind
        body.removeAll()
        do throws(CapacityError) {
            try entry.encodeBody(into: &body)
        } catch {
            throw .entryTooLong
        }
        guard preparedByteCount <= PageHeader.bodyCapacity(geometry) else { throw .entryTooLong }
    }

    /// Whether the prepared entry fits behind those that the page has.
    var hasRoom: Bool { preparedByteCount <= bytes.count - end }

    /// Adds the prepared entry, which fits.
    mutating func appendPrepared(nowMilliseconds: UInt64) {
        put(kind.rawValue)
        if body.count > 0x7f {
            put(UInt8(truncatingIfNeeded: body.count) | 0x80)
            put(UInt8(truncatingIfNeeded: body.count &>> 7))
        } else {
            put(UInt8(truncatingIfNeeded: body.count))
        }
        for index in 0..<body.count { put(body[index]) }
        if entryCount == 0 { oldestEntryMilliseconds = nowMilliseconds }
        entryCount += 1
    }

    /// With its kind and its length.
    private var preparedByteCount: Int { (body.count > 0x7f ? 3 : 2) + body.count }

    /// Programs the page and begins the next one. One failure is put up with here: the place after it is tried at
    /// once. After an error the page is as before.
    mutating func program<Flash: FlashDevice & ~Copyable>(
        to ring: inout SegmentRing<Flash>, logIdentity: Bytes<16>, bootIdentifier: UInt64
    ) throws(LogError) {
        do throws(LogError) {
            try programOnce(to: &ring, logIdentity: logIdentity, bootIdentifier: bootIdentifier)
        } catch {
            try programOnce(to: &ring, logIdentity: logIdentity, bootIdentifier: bootIdentifier)
        }
        for index in 0..<end { bytes[index] = 0xff }
        end = PageHeader.byteCount
        entryCount = 0
        oldestEntryMilliseconds = nil
    }

    private mutating func programOnce<Flash: FlashDevice & ~Copyable>(
        to ring: inout SegmentRing<Flash>, logIdentity: Bytes<16>, bootIdentifier: UInt64
    ) throws(LogError) {
        let place = try ring.findFreePage()
        let header = PageHeader(
            geometry: geometry, segmentOrdinal: place.ordinal, pageIndex: place.pageIndex,
            entryByteCount: end - PageHeader.byteCount, bootIdentifier: bootIdentifier,
            logIdentity: logIdentity,
            bodyChecksum: CRC32C.checksum(of: bytes.span.extracting(PageHeader.byteCount..<bytes.count)))
        let encoded = header.encoded()
        for index in 0..<encoded.count { bytes[index] = encoded[index] }
        try ring.program(bytes, at: place)
    }

    private mutating func put(_ byte: UInt8) {
        bytes[end] = byte
        end += 1
    }
}
