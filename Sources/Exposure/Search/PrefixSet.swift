/// The first eight bytes of many identities, to rule out quickly those that are not among them. The seed of
/// the hash is secret, so nobody can choose identities that make the table slow.
struct PrefixSet {
    /// Zero marks an empty slot.
    private var slots: [UInt64]
    private var containsZero = false
    private let shift: UInt64
    private let multiplier = UInt64.random(in: .min ... .max) | 1

    /// - Parameter capacity: the most prefixes that will be inserted. At least half of the slots stay empty.
    init(capacity: Int) {
        let bits = max(4, Int.bitWidth - (2 * max(1, capacity)).leadingZeroBitCount)
        shift = UInt64(64 - bits)
        slots = Array(repeating: 0, count: 1 << bits)
    }

    mutating func insert(_ prefix: UInt64) {
        guard prefix != 0 else {
            containsZero = true
            return
        }
        var slot = place(of: prefix)
        while slots[slot] != 0, slots[slot] != prefix { slot = (slot + 1) & (slots.count - 1) }
        slots[slot] = prefix
    }

    @inline(__always)
    func contains(_ prefix: UInt64) -> Bool {
        guard prefix != 0 else { return containsZero }
        var slot = place(of: prefix)
        while slots[slot] != 0 {
            if slots[slot] == prefix { return true }
            slot = (slot + 1) & (slots.count - 1)
        }
        return false
    }

    @inline(__always)
    private func place(of prefix: UInt64) -> Int {
        let product = prefix.multipliedFullWidth(by: multiplier)
        return Int(truncatingIfNeeded: (product.high ^ product.low) >> shift)
    }

    /// The first eight bytes in memory; the identities of all schemes are at least as long.
    static func prefix(of identity: some BitwiseCopyable) -> UInt64 {
        withUnsafeBytes(of: identity) { $0.loadUnaligned(as: UInt64.self) }
    }
}
