import FixedMemory

/// Entries in memory that will form the next page. Their identities are in full here and may become
/// references in the page, so there is room for two pages.
struct OpenPage: ~Copyable {
    private var bytes: FixedArray<UInt8>
    private var end = 0
    /// The entry to be appended. It is reused, because clearing it each time would cost more than the rest of
    /// appending.
    private var kind = LogEntry.Kind.boot
    private var body = LogEntry.BodyBuffer()

    private(set) var entryCount = 0
    private var savedByteCount = 0
    private(set) var oldestEntry: Instant?

    init(geometry: FlashGeometry) throws(LogError) { bytes = try Self.room(geometry, blocks: 2) }

    /// Allocates memory for `blocks` blocks.
    static func room(_ geometry: FlashGeometry, blocks: Int = 1) throws(LogError) -> FixedArray<UInt8> {
        do throws(MemoryError) {
            return try FixedArray(count: blocks * geometry.blockByteCount, repeating: 0xff)
        } catch {
            throw .noMemory(byteCount: error.byteCount)
        }
    }

    /// The size that the entries probably have in a page.
    var packedByteCount: Int { end - savedByteCount }

    /// Prepares an entry for appending. Throws `.entryTooLong` if it takes more than `limit` bytes.
    mutating func prepare(_ entry: LogEntry, limit: Int) throws(LogError) {
        kind = entry.kind
        body.removeAll()
        do throws(CapacityError) {
            try entry.encodeBody(into: &body)
        } catch {
            throw .entryTooLong
        }
        guard preparedByteCount <= limit else { throw .entryTooLong }
    }

    /// The prepared entry's size, with kind and length.
    var preparedByteCount: Int { (body.count > 0x7f ? 3 : 2) + body.count }

    var hasRoomForPrepared: Bool { end + preparedByteCount <= bytes.count }

    /// The prepared entry's identity and its size, if it has one.
    var preparedIdentity: IdentityTable.Identity? {
        kind == .encounterIdentified ? EncounterIdentifiedEntry.identity(inBody: body.span) : nil
    }

    /// Adds the prepared entry, which must fit.
    ///
    /// - Parameter savedByteCount: how much smaller the entry probably is in a page.
    mutating func appendPrepared(savedByteCount saved: Int, now: Instant) {
        put(kind.rawValue)
        if body.count > 0x7f {
            put(UInt8(truncatingIfNeeded: body.count) | 0x80)
            put(UInt8(truncatingIfNeeded: body.count &>> 7))
        } else {
            put(UInt8(truncatingIfNeeded: body.count))
        }
        for index in 0..<body.count { put(body[index]) }
        // The entry may be the last one for hours, and leaves memory with its page.
        for index in 0..<body.count { body[index] = 0 }
        if entryCount == 0 { oldestEntry = now }
        entryCount += 1
        savedByteCount += saved
    }

    /// Some of the entries: whole ones, from the first on.
    struct Portion {
        var byteCount = 0
        var entryCount = 0
    }

    /// The size of the first entry; 0 if there is none.
    var firstEntryByteCount: Int { entryCount == 0 ? 0 : LogEntry.byteCount(startingWith: entries) }

    var entries: Span<UInt8> { @_lifetime(borrow self) get { bytes.span.extracting(0..<end) } }

    /// Removes entries that are now on the medium, and overwrites what memory has of them.
    mutating func drop(_ portion: Portion) {
        for index in portion.byteCount..<end { bytes[index - portion.byteCount] = bytes[index] }
        bytes.wipe(end - portion.byteCount..<end)
        end -= portion.byteCount
        entryCount -= portion.entryCount
        // How much the remaining entries save is unknown, because only the total is kept.
        savedByteCount = 0
        if entryCount == 0 { oldestEntry = nil }
    }

    private mutating func put(_ byte: UInt8) {
        bytes[end] = byte
        end += 1
    }
}
