import FixedMemory
import HCI

/// All peers lately heard, in fixed memory: by address in constant time, and in the order they were last seen.
///
/// When it is full, who goes is decided by two lists: the passer-by unheard for longest; when there are none, the
/// followed peer unheard for longest. So a flood of random addresses pushes out passers-by only.
public struct PeerTable: ~Copyable {
    /// The peers themselves, by slot. Only slots that ``find(_:)`` or the lists name hold one.
    public internal(set) var slots: FixedArray<Peer>
    /// Open addressing with linear probing: slot number + 1, or 0.
    private var index: FixedArray<UInt32>
    private let indexMask: UInt64
    private let hashMultiplier: UInt64
    private let hashShift: UInt64
    public private(set) var count = 0
    /// The first never-used slot, and a chain (through `older`) of slots given back.
    private var firstUnused = 0
    private var freeSlot: Int32 = -1
    private var passersBy = SightingOrder()
    private var followed = SightingOrder()

    /// `hashSeed`: unpredictable, so that nobody can choose addresses that collide.
    public init(capacity: Int, hashSeed: UInt64) throws(MemoryError) {
        precondition(capacity > 0 && capacity <= 1 << 20)
        var indexCount = 2
        while indexCount < capacity * 2 { indexCount *= 2 }
        let slots = try FixedArray<Peer>(zeroed: capacity)
        let index = try FixedArray<UInt32>(zeroed: indexCount)
        self.slots = slots
        self.index = index
        indexMask = UInt64(indexCount - 1)
        hashShift = 64 - UInt64(indexCount.trailingZeroBitCount)
        hashMultiplier = hashSeed | 1
    }

    public var capacity: Int { slots.count }

    @inline(__always)
    public func find(_ address: DeviceAddress) -> Int? {
        var place = hash(address)
        while true {
            let entry = index[place]
            if entry == 0 { return nil }
            let slot = Int(entry &- 1)
            if slots[slot].address == address { return slot }
            place = (place &+ 1) & Int(truncatingIfNeeded: indexMask)
        }
    }

    /// Whether a new peer needs somebody to be evicted first.
    public var isFull: Bool { count == slots.count }

    /// Who goes next; nil when the table is empty.
    public var evictionCandidate: Int? {
        let slot = passersBy.oldest >= 0 ? passersBy.oldest : followed.oldest
        return slot >= 0 ? Int(slot) : nil
    }

    /// Adds a peer that is not in the table, as a passer-by. The table must not be full.
    public mutating func insert(_ address: DeviceAddress) -> Int {
        precondition(!isFull)
        let slot: Int
        if freeSlot >= 0 {
            slot = Int(freeSlot)
            freeSlot = slots[slot].older
        } else {
            slot = firstUnused
            firstUnused += 1
        }
        slots[slot] = Peer(address: address)
        var place = hash(address)
        while index[place] != 0 { place = (place + 1) & Int(truncatingIfNeeded: indexMask) }
        index[place] = UInt32(truncatingIfNeeded: slot + 1)
        count += 1
        passersBy.append(slot, in: &slots)
        return slot
    }

    public mutating func remove(_ slot: Int) {
        unlink(slot)
        removeFromIndex(slots[slot].address)
        slots[slot] = .empty
        slots[slot].older = freeSlot
        freeSlot = Int32(truncatingIfNeeded: slot)
        count -= 1
    }

    /// Notes that a peer was seen: it is now the last to be evicted of its kind.
    @inline(__always)
    public mutating func touch(_ slot: Int, nowMilliseconds: UInt64) {
        slots[slot].lastSeenMilliseconds = nowMilliseconds
        if slots[slot].newer < 0 { return }
        if slots[slot].interest == .passerBy {
            passersBy.moveToNewest(slot, in: &slots)
        } else {
            followed.moveToNewest(slot, in: &slots)
        }
    }

    public mutating func raiseInterest(of slot: Int, to interest: PeerInterest) {
        guard interest > slots[slot].interest else { return }
        unlink(slot)
        slots[slot].interest = interest
        append(slot)
    }

    /// Takes a peer back among the passers-by: it only looked like one of ours.
    public mutating func dropInterest(in slot: Int) {
        unlink(slot)
        slots[slot].interest = .passerBy
        append(slot)
    }

    /// The followed peer seen last; go on with ``Peer/older`` through ``olderFollowed(than:)``.
    public var newestFollowed: Int? { followed.newest >= 0 ? Int(followed.newest) : nil }

    public var oldestFollowed: Int? { followed.oldest >= 0 ? Int(followed.oldest) : nil }

    public func olderFollowed(than slot: Int) -> Int? {
        let older = slots[slot].older
        return older >= 0 ? Int(older) : nil
    }

    private mutating func append(_ slot: Int) {
        if slots[slot].interest == .passerBy {
            passersBy.append(slot, in: &slots)
        } else {
            followed.append(slot, in: &slots)
        }
    }

    private mutating func unlink(_ slot: Int) {
        if slots[slot].interest == .passerBy {
            passersBy.remove(slot, from: &slots)
        } else {
            followed.remove(slot, from: &slots)
        }
    }

    @inline(__always)
    private func hash(_ address: DeviceAddress) -> Int {
        Int(truncatingIfNeeded: (address.key &* hashMultiplier) &>> hashShift)
    }

    /// Closes the hole by moving later entries of the same run forward, so that look-ups never need tombstones.
    private mutating func removeFromIndex(_ address: DeviceAddress) {
        let mask = Int(truncatingIfNeeded: indexMask)
        var hole = hash(address)
        while slots[Int(index[hole] &- 1)].address != address { hole = (hole + 1) & mask }
        var place = hole
        while true {
            place = (place + 1) & mask
            let entry = index[place]
            if entry == 0 { break }
            let home = hash(slots[Int(entry &- 1)].address)
            // An entry may move to the hole unless its home lies cyclically after it.
            if (place - home) & mask >= (place - hole) & mask {
                index[hole] = entry
                hole = place
            }
        }
        index[hole] = 0
    }
}

/// A list through the slots' `newer` and `older`, in the order of the last sighting.
struct SightingOrder {
    var newest: Int32 = -1
    var oldest: Int32 = -1

    @inline(__always)
    mutating func append(_ slot: Int, in slots: inout FixedArray<Peer>) {
        let number = Int32(truncatingIfNeeded: slot)
        slots[slot].newer = -1
        slots[slot].older = newest
        if newest >= 0 { slots[Int(newest)].newer = number } else { oldest = number }
        newest = number
    }

    /// For one that is not the newest yet.
    @inline(__always)
    mutating func moveToNewest(_ slot: Int, in slots: inout FixedArray<Peer>) {
        let (newer, older) = (Int(slots[slot].newer), slots[slot].older)
        slots[newer].older = older
        if older >= 0 {
            slots[Int(older)].newer = Int32(truncatingIfNeeded: newer)
        } else {
            oldest = Int32(truncatingIfNeeded: newer)
        }
        slots[slot].newer = -1
        slots[slot].older = newest
        slots[Int(newest)].newer = Int32(truncatingIfNeeded: slot)
        newest = Int32(truncatingIfNeeded: slot)
    }

    @inline(__always)
    mutating func remove(_ slot: Int, from slots: inout FixedArray<Peer>) {
        let (newer, older) = (slots[slot].newer, slots[slot].older)
        if newer >= 0 { slots[Int(newer)].older = older } else { newest = older }
        if older >= 0 { slots[Int(older)].newer = newer } else { oldest = newer }
    }
}
