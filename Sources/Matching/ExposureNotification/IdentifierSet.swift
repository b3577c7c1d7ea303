import Schemes

/// The heard identifiers and their positions in a list, optimised for queries of identifiers that are not in
/// it.
///
/// A query first passes a filter of a few bits per identifier, which fits into a processor's cache. One or
/// two of a hundred absent identifiers pass the filter. A hash table with open addressing follows. The hash
/// has a secret seed, so nobody can choose identifiers that make the table slow; the answers do not depend on
/// the seed.
struct IdentifierSet {
    private let hash: IdentifierHash
    /// The filter; each identifier sets two bits in one of these words.
    private let filter: [UInt64]
    private let filterShift: UInt64
    /// The hash table: an index into `identifiers` plus 1, or 0 for an empty slot.
    private let slots: [UInt32]
    /// The distinct identifiers in order.
    private let identifiers: [IdentifierWords]
    /// The index in `places` at which each identifier's positions begin, and the end of the last ones.
    private let starts: [Int]
    private let places: [Int]

    init(_ identifiers: [RollingProximityIdentifier], hash: IdentifierHash = IdentifierHash()) {
        let list = identifiers.map { IdentifierWords($0) }
        places = list.indices.sorted { list[$0].precedes(list[$1]) || list[$0] == list[$1] && $0 < $1 }
        var (identifiers, starts): ([IdentifierWords], [Int]) = ([], [])
        for (index, place) in places.enumerated() where identifiers.last != list[place] {
            identifiers.append(list[place])
            starts.append(index)
        }
        starts.append(places.count)

        // The filter has 64 bits for every four identifiers, and at least half the slots stay empty.
        let filterBits = max(1, UInt64(identifiers.count / 4).bitWidthOfValue)
        let slotMask = 1 << UInt64(2 * identifiers.count).bitWidthOfValue - 1
        var filter = [UInt64](repeating: 0, count: 1 << filterBits)
        var slots = [UInt32](repeating: 0, count: slotMask + 1)
        for (index, identifier) in identifiers.enumerated() {
            let value = hash.value(of: identifier)
            filter[Int(value >> (64 - UInt64(filterBits)))] |= Self.bits(value)
            var slot = Int(truncatingIfNeeded: value) & slotMask
            while slots[slot] != 0 { slot = (slot + 1) & slotMask }
            slots[slot] = UInt32(index + 1)
        }
        self.hash = hash
        self.filter = filter
        self.filterShift = 64 - UInt64(filterBits)
        self.slots = slots
        self.identifiers = identifiers
        self.starts = starts
    }

    /// Calls `visit` for each candidate that is in the list, with its index and its positions in the list.
    @inline(__always)
    func forEach(
        in candidates: Span<RollingProximityIdentifier>,
        _ visit: (_ index: Int, _ places: ArraySlice<Int>) -> Void
    ) {
        let filter = filter.span
        for index in candidates.indices {
            let candidate = IdentifierWords(candidates[index])
            let value = hash.value(of: candidate)
            let bits = Self.bits(value)
            guard filter[Int(truncatingIfNeeded: value >> filterShift)] & bits == bits else { continue }
            let found = places(of: candidate, value)
            if !found.isEmpty { visit(index, found) }
        }
    }

    @inline(never)
    private func places(of identifier: IdentifierWords, _ value: UInt64) -> ArraySlice<Int> {
        let mask = slots.count - 1
        var slot = Int(truncatingIfNeeded: value) & mask
        while slots[slot] != 0 {
            let index = Int(slots[slot]) - 1
            if identifiers[index] == identifier { return places[starts[index]..<starts[index + 1]] }
            slot = (slot + 1) & mask
        }
        return []
    }

    @inline(__always)
    private static func bits(_ value: UInt64) -> UInt64 { 1 << (value >> 20 & 63) | 1 << (value >> 26 & 63) }
}

/// A hash of 16 bytes that nobody can predict.
struct IdentifierHash {
    private let seed: IdentifierWords

    init() { seed = IdentifierWords(.random(in: .min ... .max), .random(in: .min ... .max)) }

    init(seed: IdentifierWords) { self.seed = seed }

    @inline(__always)
    func value(of words: IdentifierWords) -> UInt64 {
        let seeded = words ^ seed
        let product = seeded[0].multipliedFullWidth(by: seeded[1])
        return product.high ^ product.low
    }
}

extension IdentifierWords {
    fileprivate init(_ identifier: RollingProximityIdentifier) {
        self = unsafeBitCast(identifier, to: IdentifierWords.self)
    }

    fileprivate func precedes(_ other: IdentifierWords) -> Bool {
        self[0] < other[0] || self[0] == other[0] && self[1] < other[1]
    }
}

extension UInt64 {
    /// The number of bits in the value without leading zeros.
    fileprivate var bitWidthOfValue: Int { 64 - leadingZeroBitCount }
}
