/// The distinct values of a string or binary column in one row group (Parquet format, Encodings: dictionary).
///
/// An index is the order of the first occurrence, so the file does not depend on the process's hash seed. The
/// hashes do: nobody can choose strings that collide.
struct ByteArrayDictionary {
    /// The values in PLAIN encoding: the content of the dictionary page.
    private(set) var entries: [UInt8] = []
    private var starts: [Int] = []
    private var hashes: [Int] = []
    /// Index + 1 of an entry, or 0. The count is a power of two, and more than half of the slots are free.
    private var slots = [UInt32](repeating: 0, count: 256)
    /// The index that was returned last: equal values often follow each other.
    private var latest: UInt32?

    var count: Int { starts.count }

    /// Finds a value, or adds it.
    ///
    /// - Returns: nil if the dictionary would become larger than the maximum.
    mutating func index(of value: UnsafeRawBufferPointer, maximumByteCount: Int) -> UInt32? {
        if let latest, isEqual(latest, value) { return latest }
        var hasher = Hasher()
        hasher.combine(bytes: value)
        let hash = hasher.finalize()
        var slot = hash & (slots.count - 1)
        while slots[slot] != 0 {
            let index = slots[slot] - 1
            if hashes[Int(index)] == hash, isEqual(index, value) {
                latest = index
                return index
            }
            slot = (slot + 1) & (slots.count - 1)
        }
        guard value.count <= maximumByteCount - 4 - entries.count else { return nil }
        let index = UInt32(truncatingIfNeeded: count)
        slots[slot] = index + 1
        starts.append(entries.count)
        hashes.append(hash)
        entries.appendByteArray(value)
        latest = index
        if count * 2 >= slots.count { growSlots() }
        return index
    }

    /// Appends an entry in PLAIN encoding.
    func appendEntry(_ index: UInt32, to bytes: inout [UInt8]) {
        bytes += entries[range(index)]
    }

    mutating func removeAll() {
        entries.removeAll(keepingCapacity: true)
        starts.removeAll(keepingCapacity: true)
        hashes.removeAll(keepingCapacity: true)
        for slot in slots.indices { slots[slot] = 0 }
        latest = nil
    }

    private func range(_ index: UInt32) -> Range<Int> {
        let position = Int(index)
        return starts[position]..<(position + 1 < count ? starts[position + 1] : entries.count)
    }

    private func isEqual(_ index: UInt32, _ value: UnsafeRawBufferPointer) -> Bool {
        let content = range(index).dropFirst(4)
        guard content.count == value.count else { return false }
        return entries.withUnsafeBytes {
            UnsafeRawBufferPointer(rebasing: $0[content]).hasSameBytes(as: value)
        }
    }

    private mutating func growSlots() {
        slots = [UInt32](repeating: 0, count: slots.count * 2)
        for (index, hash) in hashes.enumerated() {
            var slot = hash & (slots.count - 1)
            while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = UInt32(truncatingIfNeeded: index + 1)
        }
    }
}
