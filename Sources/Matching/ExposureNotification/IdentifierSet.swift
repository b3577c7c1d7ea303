import Schemes

/// Which identifiers were heard, and at which places of a list; made for being asked about identifiers that are not in it.
///
/// In front is a filter of some bits per identifier that fits into a processor's cache: of a hundred identifiers not in
/// the set, one or two pass it. Then a table with open addressing. The hash has a secret seed, so nobody can choose
/// identifiers that make it slow; the answers do not depend on it.
struct IdentifierSet {
    private let hash: WordsHash
    /// Two bits are set per identifier, both in one of these.
    private let filter: [UInt64]
    private let filterShift: UInt64
    /// A place in `identifiers` and 1, or 0.
    private let slots: [UInt32]
    /// Different ones, in order.
    private let identifiers: [Words]
    /// Where the places of each begin in `places`, and where the last end.
    private let starts: [Int]
    private let places: [Int]

    init(_ identifiers: [RollingProximityIdentifier], hash: WordsHash = WordsHash()) {
        let list = identifiers.map { Words($0) }
        places = list.indices.sorted { list[$0].precedes(list[$1]) || list[$0] == list[$1] && $0 < $1 }
        var (identifiers, starts): ([Words], [Int]) = ([], [])
        for (index, place) in places.enumerated() where identifiers.last != list[place] {
            identifiers.append(list[place])
            starts.append(index)
        }
        starts.append(places.count)

        // Four identifiers to 64 bits, half the slots free.
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

    /// Calls `visit` with each place in `candidates` whose identifier is in the list, and the places there.
    @inline(__always)
    func forEach(
        in candidates: Span<RollingProximityIdentifier>,
        _ visit: (_ index: Int, _ places: ArraySlice<Int>) -> Void
    ) {
        let filter = filter.span
        for index in candidates.indices {
            let candidate = Words(candidates[index])
            let value = hash.value(of: candidate)
            let bits = Self.bits(value)
            guard filter[Int(truncatingIfNeeded: value >> filterShift)] & bits == bits else { continue }
            let found = places(of: candidate, value)
            if !found.isEmpty { visit(index, found) }
        }
    }

    @inline(never)
    private func places(of identifier: Words, _ value: UInt64) -> ArraySlice<Int> {
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

/// A hash of 16 bytes that nobody can foresee.
struct WordsHash {
    private let seed: Words

    init() { seed = Words(.random(in: .min ... .max), .random(in: .min ... .max)) }

    init(seed: Words) { self.seed = seed }

    @inline(__always)
    func value(of words: Words) -> UInt64 {
        let seeded = words ^ seed
        let product = seeded[0].multipliedFullWidth(by: seeded[1])
        return product.high ^ product.low
    }
}

extension Words {
    fileprivate init(_ identifier: RollingProximityIdentifier) {
        self = unsafeBitCast(identifier, to: Words.self)
    }

    fileprivate func precedes(_ other: Words) -> Bool {
        self[0] < other[0] || self[0] == other[0] && self[1] < other[1]
    }
}

extension UInt64 {
    /// How many bits the number has without the zeros in front.
    fileprivate var bitWidthOfValue: Int { 64 - leadingZeroBitCount }
}
