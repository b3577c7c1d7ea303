import FixedMemory

/// The identities in the current epoch's pages, so that each is written once and then referred to.
///
/// It remembers the last 256; an older identity is written again. Entries in memory hold their identities in
/// full. Only making a page decides its epoch, and with that which references its reader can resolve.
struct IdentityTable: ~Copyable {
    /// The hash that refers to an entry's identity, and the size of scheme, length and identity.
    typealias Identity = (hash: IdentityHash, byteCount: Int)

    private static var capacity: Int { 256 }

    private var known: FixedArray<UInt64>
    private var count = 0
    /// Where the next identity goes; in a full table, the place of the oldest.
    private var next = 0

    init() throws(LogError) { known = try Self.room() }

    private static func room() throws(LogError) -> FixedArray<UInt64> {
        do throws(MemoryError) {
            return try FixedArray(count: capacity, repeating: 0)
        } catch {
            throw .noMemory(byteCount: error.byteCount)
        }
    }

    mutating func removeAll() {
        count = 0
        next = 0
    }

    /// How many bytes an entry with this identity saves as a reference; 0 if the identity is unknown or no
    /// longer than a reference.
    func savedByteCount(of identity: Identity?) -> Int {
        guard let identity, isKnown(identity.hash) else { return 0 }
        return max(0, identity.byteCount - IdentityReferenceEntry.identityByteCount)
    }

    /// Copies entries from the first on, as many as fit, to byte `start` of a page. Known identities become
    /// references; the others become known.
    /// - Returns: the number of bytes written, at most `capacity`.
    mutating func pack(
        _ entries: Span<UInt8>, _ portion: inout OpenPage.Portion, into page: inout MutableSpan<UInt8>,
        at start: Int, capacity: Int
    ) -> Int {
        var end = start
        while portion.byteCount < entries.count {
            let rest = entries.extracting(portion.byteCount..<entries.count)
            let entry = rest.extracting(0..<LogEntry.byteCount(startingWith: rest))
            let identity = Self.identity(in: entry)
            let saved = savedByteCount(of: identity)
            guard end - start + entry.count - saved <= capacity else { break }
            if let identity, saved > 0 {
                Self.copyReference(to: identity, insteadOf: entry, into: &page, at: &end)
            } else {
                Self.copy(entry, into: &page, at: &end)
                if let identity, !isKnown(identity.hash) { record(identity.hash) }
            }
            portion.byteCount += entry.count
            portion.entryCount += 1
        }
        return end - start
    }

    /// The identity in an encoded entry; nil if the entry has none.
    private static func identity(in entry: Span<UInt8>) -> Identity? {
        guard entry[0] == LogEntry.Kind.encounterIdentified.rawValue else { return nil }
        return EncounterIdentifiedEntry.identity(inBody: LogEntry.body(of: entry))
    }

    /// Writes an ``IdentityReferenceEntry`` with the encounter, time and scheme of the entry that it
    /// replaces.
    private static func copyReference(
        to identity: Identity, insteadOf entry: Span<UInt8>, into page: inout MutableSpan<UInt8>,
        at end: inout Int
    ) {
        let body = LogEntry.body(of: entry)
        let numbers = body.extracting(0..<body.count - identity.byteCount + 1)
        page[end] = LogEntry.Kind.identityReference.rawValue
        page[end + 1] = UInt8(truncatingIfNeeded: numbers.count + 8)
        end += 2
        copy(numbers, into: &page, at: &end)
        for index in 0..<8 {
            page[end] = UInt8(
                truncatingIfNeeded: identity.hash.value &>> UInt64(truncatingIfNeeded: 8 * index))
            end += 1
        }
    }

    private func isKnown(_ hash: IdentityHash) -> Bool {
        for index in 0..<count where known[index] == hash.value { return true }
        return false
    }

    private mutating func record(_ hash: IdentityHash) {
        known[next] = hash.value
        next = (next + 1) % Self.capacity
        count = min(count + 1, Self.capacity)
    }

    private static func copy(_ bytes: Span<UInt8>, into page: inout MutableSpan<UInt8>, at end: inout Int) {
        for index in bytes.indices { page[end + index] = bytes[index] }
        end += bytes.count
    }
}
