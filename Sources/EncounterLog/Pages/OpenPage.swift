import FixedMemory

/// Entries in memory that are to become the next page.
struct OpenPage: ~Copyable {
    private var bytes: FixedArray<UInt8>
    private var end = 0
    /// The entry that is to be appended. Kept from one to the next: to clear it each time would cost more than all
    /// the rest of appending.
    private var kind = LogEntry.Kind.boot
    private var body = LogEntry.BodyBuffer()

    private(set) var entryCount = 0
    private(set) var oldestEntryMilliseconds: UInt64?

    init(geometry: FlashGeometry) throws(LogError) { bytes = try Self.room(geometry) }

    /// Room for a block.
    static func room(_ geometry: FlashGeometry) throws(LogError) -> FixedArray<UInt8> {
        do throws(MemoryError) {
            return try FixedArray(count: geometry.blockByteCount, repeating: 0xff)
        } catch {
            throw .noMemory(byteCount: error.byteCount)
        }
    }

    var byteCount: Int { end }

    /// Makes an entry ready to be appended. `.entryTooLong` if it takes more than `limit` bytes.
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

    /// With its kind and its length.
    var preparedByteCount: Int { (body.count > 0x7f ? 3 : 2) + body.count }

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

    /// Whole entries from the first on.
    struct Portion {
        var byteCount = 0
        var entryCount = 0
    }

    /// As many of the entries as fit into so many bytes.
    func portion(fitting capacity: Int) -> Portion {
        if end <= capacity { return Portion(byteCount: end, entryCount: entryCount) }
        var portion = Portion()
        while portion.entryCount < entryCount {
            let next = portion.byteCount + entryByteCount(at: portion.byteCount)
            if next > capacity { break }
            portion.byteCount = next
            portion.entryCount += 1
        }
        return portion
    }

    /// Bytes of the first entry; 0 if there is none.
    var firstEntryByteCount: Int { entryCount == 0 ? 0 : entryByteCount(at: 0) }

    @_lifetime(borrow self)
    func entries(_ portion: Portion) -> Span<UInt8> { bytes.span.extracting(0..<portion.byteCount) }

    /// These are on the medium.
    mutating func drop(_ portion: Portion) {
        for index in portion.byteCount..<end { bytes[index - portion.byteCount] = bytes[index] }
        end -= portion.byteCount
        entryCount -= portion.entryCount
        if entryCount == 0 { oldestEntryMilliseconds = nil }
    }

    private func entryByteCount(at start: Int) -> Int {
        let low = Int(bytes[start + 1])
        guard low & 0x80 != 0 else { return 2 + low }
        return 3 + (low & 0x7f) + Int(bytes[start + 2]) << 7
    }

    private mutating func put(_ byte: UInt8) {
        bytes[end] = byte
        end += 1
    }
}
