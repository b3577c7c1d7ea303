import FixedMemory

/// The slots of a ``PeerTable``, in one list for each standing, in the order of the last sighting.
///
/// Each list is a ring through its peers and one more place, the head. The head is both newer than the
/// newest peer and older than the oldest. So no end is special, and moving a peer takes no branches. The
/// rings lie apart from the peers, which are large: neighbours in a ring are seldom neighbours in memory.
struct SightingOrders: ~Copyable {
    struct Place: BitwiseCopyable {
        var newer: UInt32
        var older: UInt32
    }

    /// One place for each slot; then the heads, by standing.
    private var places: FixedArray<Place>
    private let slotCount: Int

    init(slotCount: Int) throws(MemoryError) {
        places = try FixedArray<Place>(zeroed: slotCount + 3)
        self.slotCount = slotCount
        for place in slotCount..<slotCount + 3 { link(place, before: place) }
    }

    /// Adds a slot that is in no list.
    @inline(__always)
    mutating func append(_ slot: Int, as standing: PeerStanding) {
        let head = head(standing)
        let newest = Int(places[head].older)
        link(slot, before: head)
        link(newest, before: slot)
    }

    @inline(__always)
    mutating func remove(_ slot: Int) {
        let place = places[slot]
        link(Int(place.older), before: Int(place.newer))
    }

    @inline(__always)
    mutating func moveToNewest(_ slot: Int, of standing: PeerStanding) {
        if Int(places[slot].newer) == head(standing) { return }
        remove(slot)
        append(slot, as: standing)
    }

    func newest(_ standing: PeerStanding) -> Int? { slot(at: places[head(standing)].older) }

    func oldest(_ standing: PeerStanding) -> Int? { slot(at: places[head(standing)].newer) }

    func older(than slot: Int) -> Int? { self.slot(at: places[slot].older) }

    @inline(__always)
    private func head(_ standing: PeerStanding) -> Int { slotCount &+ Int(standing.rawValue) }

    private func slot(at place: UInt32) -> Int? { Int(place) < slotCount ? Int(place) : nil }

    @inline(__always)
    private mutating func link(_ older: Int, before newer: Int) {
        places[older].newer = UInt32(truncatingIfNeeded: newer)
        places[newer].older = UInt32(truncatingIfNeeded: older)
    }
}
