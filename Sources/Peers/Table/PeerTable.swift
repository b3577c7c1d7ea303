import FixedMemory
import HCI

/// All recently heard peers, in fixed memory: by key in constant time, and in the order of their last
/// sightings.
///
/// **Eviction from a full table.** An attacker can advertise from any number of addresses, in Herald's
/// format too. So the table ranks peers by how long they have stayed (``PeerStanding``), not by their
/// adverts. A new peer that takes part, or may, replaces the first of these that exists:
///
/// 1. the ignored peer unheard for longest;
/// 2. the tentative peer unheard for longest, while tentative peers hold more than a quarter of the table;
/// 3. the confirmed peer unheard for longest, if its encounter has ended;
/// 4. the tentative peer unheard for longest.
///
/// Otherwise the table turns the new peer away. A new ignored peer only replaces another ignored peer. So
/// no encounter ends while an ignored peer can be evicted, and a confirmed peer's encounter never does. The
/// quarter keeps a flood of tentative peers from erasing the memory of confirmed peers that have just left.
/// Limits: docs/crowds.md.
public struct PeerTable: ~Copyable {
    /// A slot, or -1 for none. Not an optional, which would take two registers on the scan path.
    public struct Found: BitwiseCopyable {
        let slot: Int
    }

    /// The peers themselves, by slot. Only slots that ``find(_:)`` or the lists return hold a peer.
    public internal(set) var slots: FixedArray<Peer>
    /// An open-addressed hash table with linear probing: slot number + 1, or 0.
    private var index: FixedArray<UInt32>
    /// The addresses of peers whose key is a pseudo address, by slot.
    var aliases: FixedArray<PeerAlias>
    private let indexMask: UInt64
    private let hashMultiplier: UInt64
    private let hashShift: UInt64
    private var orders: SightingOrders
    /// A stack of freed slots.
    private var freeSlots: FixedArray<UInt32>
    private var freeCount = 0
    public private(set) var count = 0
    private(set) var tentativeCount = 0
    /// How often a peer with a pseudo address was heard under another address than before.
    public internal(set) var moveCount: UInt32 = 0
    /// The number of peers whose key is a pseudo address.
    private var pseudoAddressCount = 0
    /// Slots from this one on have never been used.
    private(set) var firstUnused = 0

    /// The minimum number of index entries for each peer: so sparse that nearly every look-up succeeds at
    /// the first one. A branch that the processor mispredicts costs more than the memory does
    /// (docs/bounds.md).
    private static var placesPerPeer: Int { 4 }

    /// `hashSeed` must be unpredictable, so that an attacker cannot choose addresses that collide.
    public init(capacity: Int, hashSeed: UInt64) throws(MemoryError) {
        precondition(capacity > 0 && capacity <= 1 << 20)
        var indexCount = 2
        while indexCount < capacity * Self.placesPerPeer { indexCount *= 2 }
        let slots = try FixedArray<Peer>(zeroed: capacity)
        let index = try FixedArray<UInt32>(zeroed: indexCount)
        let aliases = try FixedArray<PeerAlias>(zeroed: capacity)
        let orders = try SightingOrders(slotCount: capacity)
        let freeSlots = try FixedArray<UInt32>(zeroed: capacity)
        self.slots = slots
        self.index = index
        self.aliases = aliases
        self.orders = orders
        self.freeSlots = freeSlots
        indexMask = UInt64(indexCount - 1)
        hashShift = 64 - UInt64(indexCount.trailingZeroBitCount)
        hashMultiplier = hashSeed | 1
    }

    public var capacity: Int { slots.count }

    @inline(__always)
    public func find(_ key: PeerKey) -> Int? {
        var place = hash(key)
        while true {
            let entry = index[place]
            if entry == 0 { return nil }
            let slot = Int(entry &- 1)
            if slots[slot].key == key { return slot }
            place = (place &+ 1) & Int(truncatingIfNeeded: indexMask)
        }
    }

    /// Like ``find(_:)``, for callers that have other work to do before they need the result.
    @inline(__always)
    func lookUp(_ key: PeerKey) -> Found { Found(slot: find(key) ?? -1) }

    /// Finds the peer by on-air address, because a link shows nothing else. It matches an address key, or a
    /// pseudo address that was last heard, or read, under this address; of several the one heard last. Slow,
    /// because it may go through all peers.
    public func find(_ address: DeviceAddress) -> Int? {
        if let slot = find(PeerKey(address)) { return slot }
        guard pseudoAddressCount > 0 else { return nil }
        var found: Int?
        for slot in 0..<firstUnused where slots[slot].key.isPseudoAddress {
            guard aliases[slot].address == address || aliases[slot].askedAddress == address else { continue }
            if let found, slots[found].lastSeen >= slots[slot].lastSeen { continue }
            found = slot
        }
        return found
    }

    /// The address under which the peer was last heard, and to which the agent connects.
    public func address(of slot: Int) -> DeviceAddress {
        slots[slot].key.address ?? aliases[slot].address
    }

    /// The key of the peer with this on-air address.
    public func key(of address: DeviceAddress) -> PeerKey? { find(address).map { slots[$0].key } }

    /// The latest RSSI reading of the peer with this on-air address.
    public func rssi(of address: DeviceAddress) -> RSSI? { find(address).flatMap { slots[$0].rssi } }

    /// Whether only a connection can show if the peer runs one of our protocols.
    public func isCandidate(_ address: DeviceAddress) -> Bool {
        guard let slot = find(address) else { return false }
        return slots[slot].interest == .candidate
    }

    /// Whether a new peer needs another peer's slot.
    public var isFull: Bool { count == slots.count }

    /// The peer that a new peer replaces when the table is full; nil if the new peer is turned away.
    ///
    /// - Parameters:
    ///   - isFollowed: whether the new peer is more than an ignored one.
    ///   - encounterTimeout: the encounter timeout.
    ///
    /// It changes nothing, but the optimiser of the board's build copies the table to call a method that is
    /// not `mutating`.
    mutating func evictionCandidate(isFollowed: Bool, now: Instant, encounterTimeout: Interval) -> Int? {
        if let ignored = orders.oldest(.ignored) { return ignored }
        guard isFollowed else { return nil }
        let tentative = orders.oldest(.tentative)
        if tentativeCount > capacity / 4 { return tentative }
        if let confirmed = orders.oldest(.confirmed),
            slots[confirmed].track.hasEnded(at: now, encounterTimeout: encounterTimeout)
        {
            return confirmed
        }
        return tentative
    }

    /// Adds a peer that is not in the table, as an ignored one. The table must not be full.
    public mutating func insert(_ key: PeerKey, at address: DeviceAddress) -> Int {
        precondition(!isFull)
        let slot: Int
        if freeCount > 0 {
            freeCount -= 1
            slot = Int(freeSlots[freeCount])
        } else {
            slot = firstUnused
            firstUnused += 1
        }
        slots[slot] = Peer(key: key)
        if key.isPseudoAddress { aliases[slot] = PeerAlias(address: address) }
        addToIndex(slot)
        count += 1
        orders.append(slot, as: .ignored)
        return slot
    }

    /// Adds a peer whose key is its address.
    public mutating func insert(at address: DeviceAddress) -> Int {
        insert(PeerKey(address), at: address)
    }

    public mutating func remove(_ slot: Int) {
        if slots[slot].standing == .tentative { tentativeCount -= 1 }
        orders.remove(slot)
        removeFromIndex(slots[slot].key)
        if slots[slot].key.isPseudoAddress { aliases.wipe(slot) }
        slots[slot] = .empty
        freeSlots[freeCount] = UInt32(truncatingIfNeeded: slot)
        freeCount += 1
        count -= 1
    }

    /// Records a sighting: the peer is now the last of its standing to be evicted.
    @inline(__always)
    public mutating func touch(_ slot: Int, now: Instant) {
        slots[slot].lastSeen = now
        orders.moveToNewest(slot, of: slots[slot].standing)
    }

    /// Does the same as ``touch(_:now:)``, and takes over the advert's content. Returns the
    /// interest before it; nil if there is no such peer.
    @inline(__always)
    mutating func record(_ sighting: Sighting, of found: Found, now: Instant) -> PeerInterest? {
        // As an unsigned number, -1 exceeds every slot.
        guard _fastPath(UInt(bitPattern: found.slot) < UInt(bitPattern: slots.count)) else { return nil }
        let (interest, standing) = slots[found.slot].take(sighting, now: now)
        orders.moveToNewest(found.slot, of: standing)
        return interest
    }

    /// Records that a link shows the peer: like ``touch(_:now:)``, but the time it was last
    /// heard stays.
    mutating func touchByLink(_ slot: Int, now: Instant) {
        slots[slot].heard = slots[slot].lastHeard
        slots[slot].link = now
        touch(slot, now: now)
    }

    /// Raises a peer's interest. An ignored peer that is followed from now on becomes tentative.
    public mutating func raiseInterest(of slot: Int, to interest: PeerInterest) {
        guard interest > slots[slot].interest else { return }
        slots[slot].interest = interest
        if slots[slot].standing == .ignored { setStanding(.tentative, of: slot) }
    }

    /// Makes a peer an ignored one again, because it only resembled one of ours.
    public mutating func dropInterest(in slot: Int) {
        slots[slot].interest = .ignored
        setStanding(.ignored, of: slot)
    }

    /// Confirms a tentative peer.
    mutating func confirm(_ slot: Int) {
        if slots[slot].standing == .tentative { setStanding(.confirmed, of: slot) }
    }

    /// The peer of this standing that was seen last; continue with ``older(than:)``.
    public func newest(_ standing: PeerStanding) -> Int? { orders.newest(standing) }

    public func older(than slot: Int) -> Int? { orders.older(than: slot) }

    private mutating func setStanding(_ standing: PeerStanding, of slot: Int) {
        if slots[slot].standing == .tentative { tentativeCount -= 1 }
        if standing == .tentative { tentativeCount += 1 }
        slots[slot].standing = standing
        orders.remove(slot)
        orders.append(slot, as: standing)
    }

    @inline(__always)
    private func hash(_ key: PeerKey) -> Int {
        Int(truncatingIfNeeded: (key.rawValue &* hashMultiplier) &>> hashShift)
    }

    @inline(__always)
    private mutating func addToIndex(_ slot: Int) {
        let key = slots[slot].key
        if key.isPseudoAddress { pseudoAddressCount += 1 }
        var place = hash(key)
        while index[place] != 0 { place = (place + 1) & Int(truncatingIfNeeded: indexMask) }
        index[place] = UInt32(truncatingIfNeeded: slot + 1)
    }

    /// Closes the hole by moving later entries of the same run forward, so that look-ups never need
    /// tombstones.
    private mutating func removeFromIndex(_ key: PeerKey) {
        if key.isPseudoAddress { pseudoAddressCount -= 1 }
        let mask = Int(truncatingIfNeeded: indexMask)
        var hole = hash(key)
        while slots[Int(index[hole] &- 1)].key != key { hole = (hole + 1) & mask }
        var place = hole
        while true {
            place = (place + 1) & mask
            let entry = index[place]
            if entry == 0 { break }
            let home = hash(slots[Int(entry &- 1)].key)
            // An entry may move to the hole unless its home lies cyclically after it.
            if (place - home) & mask >= (place - hole) & mask {
                index[hole] = entry
                hole = place
            }
        }
        index[hole] = 0
    }

    // Destroyed in one place, because inlined copies enlarge the board's image.
    @inline(never)
    deinit {}
}
