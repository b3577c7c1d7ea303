import FixedMemory
import HCI

/// All peers lately heard, in fixed memory: by their key in constant time, and in the order they were last seen.
///
/// **Who goes when it is full.** Anybody can send adverts from as many addresses as they like, Herald's among them. So
/// what counts is not what a peer looks like but whether it has stayed (``PeerStanding``). A new peer that is to be
/// followed takes the place of the first of these there is:
///
/// 1. the passer-by unheard for longest;
/// 2. the tentative unheard for longest, while tentativePeers have more than a quarter of the table;
/// 3. the established peer unheard for longest, if its encounter has ended;
/// 4. the tentative unheard for longest.
///
/// If there is none of them, the new peer is turned away. A new passer-by takes the place of a passer-by, or none. So
/// nobody's encounter is ended while a passer-by will do, and an established peer's never. The quarter is there so that a
/// flood of tentativePeers does not wipe out the memory of those who have just left. Limits: docs/crowds.md.
public struct PeerTable: ~Copyable {
    /// A slot, or that there is none: -1. Not an optional, which would take two registers on the scan path.
    public struct Found: BitwiseCopyable {
        let slot: Int
    }

    /// The peers themselves, by slot. Only slots that ``find(_:)`` or the lists name hold one.
    public internal(set) var slots: FixedArray<Peer>
    /// Open addressing with linear probing: slot number + 1, or 0.
    private var index: FixedArray<UInt32>
    /// By slot, of peers that are known by a pseudo address.
    var aliases: FixedArray<PeerAlias>
    /// By slot, of peers that there was a link with. Apart from the peers, for no report reads them.
    private var allSignals: FixedArray<PeerSignals>
    private let indexMask: UInt64
    private let hashMultiplier: UInt64
    private let hashShift: UInt64
    private var orders: SightingOrders
    /// A stack of slots given back.
    private var freeSlots: FixedArray<UInt32>
    private var freeCount = 0
    public private(set) var count = 0
    private(set) var tentativeCount = 0
    /// How often somebody who is known by a pseudo address was heard under another address than before.
    public internal(set) var moveCount: UInt32 = 0
    /// How many are known by a pseudo address.
    private var pseudoAddressCount = 0
    /// All slots from here on have never been used.
    private(set) var firstUnused = 0

    /// Of the index, at least: so sparse that nearly everybody stands where they are looked for first. What the processor
    /// cannot foresee, such as that one look was not enough, costs it more than the memory does (docs/bounds.md).
    private static var placesPerPeer: Int { 4 }

    /// `hashSeed`: unpredictable, so that nobody can choose addresses that collide.
    public init(capacity: Int, hashSeed: UInt64) throws(MemoryError) {
        precondition(capacity > 0 && capacity <= 1 << 20)
        var indexCount = 2
        while indexCount < capacity * Self.placesPerPeer { indexCount *= 2 }
        let slots = try FixedArray<Peer>(zeroed: capacity)
        let index = try FixedArray<UInt32>(zeroed: indexCount)
        let aliases = try FixedArray<PeerAlias>(zeroed: capacity)
        let allSignals = try FixedArray<PeerSignals>(zeroed: capacity)
        let orders = try SightingOrders(slotCount: capacity)
        let freeSlots = try FixedArray<UInt32>(zeroed: capacity)
        self.slots = slots
        self.index = index
        self.aliases = aliases
        self.allSignals = allSignals
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

    /// As ``find(_:)``, for whoever has something else to do before the answer is needed.
    @inline(__always)
    func lookUp(_ key: PeerKey) -> Found { Found(slot: find(key) ?? -1) }

    /// Whoever is at this address, which is what a link tells of its peer: known by it, or by a pseudo address and last
    /// heard, or asked, under this one. For what is rare: it may go through all peers.
    public func find(_ address: DeviceAddress) -> Int? {
        if let slot = find(PeerKey(address)) { return slot }
        guard pseudoAddressCount > 0 else { return nil }
        for slot in 0..<firstUnused where slots[slot].key.isPseudoAddress {
            if aliases[slot].address == address || aliases[slot].askedAddress == address { return slot }
        }
        return nil
    }

    /// The address under which a peer was last heard: the one to connect to.
    public func address(of slot: Int) -> DeviceAddress {
        slots[slot].key.address ?? aliases[slot].address
    }

    /// Whether a new peer needs somebody else's place.
    public var isFull: Bool { count == slots.count }

    /// Whose place a new peer takes when the table is full; nil when it is to be turned away.
    ///
    /// - Parameters:
    ///   - isFollowed: whether the new peer is more than a passer-by.
    ///   - gapMilliseconds: an encounter has ended after this time without a reading.
    ///
    /// It changes nothing; but of a method that is not `mutating` the board's optimiser gives a copy of the table.
    mutating func evictionCandidate(
        isFollowed: Bool, nowMilliseconds now: UInt64, gapMilliseconds: UInt64
    ) -> Int? {
        if let ignored = orders.oldest(.ignored) { return ignored }
        guard isFollowed else { return nil }
        let tentative = orders.oldest(.tentative)
        if tentativeCount > capacity / 4 { return tentative }
        if let confirmed = orders.oldest(.confirmed),
            slots[confirmed].track.hasEnded(atMilliseconds: now, gapMilliseconds: gapMilliseconds)
        {
            return confirmed
        }
        return tentative
    }

    /// Adds a peer that is not in the table, as a passer-by. The table must not be full.
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

    /// One that is known by its address.
    public mutating func insert(at address: DeviceAddress) -> Int {
        insert(PeerKey(address), at: address)
    }

    public mutating func remove(_ slot: Int) {
        if slots[slot].standing == .tentative { tentativeCount -= 1 }
        orders.remove(slot)
        removeFromIndex(slots[slot].key)
        slots[slot] = .empty
        freeSlots[freeCount] = UInt32(truncatingIfNeeded: slot)
        freeCount += 1
        count -= 1
    }

    /// A peer turns out to have another key. No other peer may have it.
    mutating func rename(_ slot: Int, to key: PeerKey) {
        let address = address(of: slot)
        aliases[slot] = PeerAlias(address: address)
        // The link that asks it goes by the address still.
        if slots[slot].exchange.progress == .running { aliases[slot].askedAddress = address }
        let signals = signals(of: slot)
        removeFromIndex(slots[slot].key)
        slots[slot].key = key
        addToIndex(slot)
        setSignals(signals, of: slot)
    }

    /// What the peer was told by writing: nothing, if what stands in its place is of somebody who had it before.
    func signals(of slot: Int) -> PeerSignals {
        let signals = allSignals[slot]
        return signals.key == slots[slot].key.rawValue ? signals : PeerSignals()
    }

    mutating func setSignals(_ signals: PeerSignals, of slot: Int) {
        allSignals[slot] = signals
        allSignals[slot].key = slots[slot].key.rawValue
    }

    /// Notes that a peer was seen: it is now the last to go of its standing.
    @inline(__always)
    public mutating func touch(_ slot: Int, nowMilliseconds: UInt64) {
        slots[slot].lastSeenMilliseconds = nowMilliseconds
        orders.moveToNewest(slot, of: slots[slot].standing)
    }

    /// ``touch(_:nowMilliseconds:)``, and takes over what an advert tells of its sender. Returns the interest there was
    /// so far; nil if nobody was found.
    @inline(__always)
    mutating func note(_ sighting: Sighting, of found: Found, nowMilliseconds now: UInt64) -> PeerInterest? {
        // As an unsigned number, that of nobody is too large.
        guard _fastPath(UInt(bitPattern: found.slot) < UInt(bitPattern: slots.count)) else { return nil }
        let (interest, standing) = slots[found.slot].note(sighting, nowMilliseconds: now)
        orders.moveToNewest(found.slot, of: standing)
        return interest
    }

    /// A link tells that a peer is there: as ``touch(_:nowMilliseconds:)``, but for when it was last heard.
    mutating func touchByLink(_ slot: Int, nowMilliseconds: UInt64) {
        slots[slot].heardMilliseconds = slots[slot].lastHeardMilliseconds
        slots[slot].linkMilliseconds = nowMilliseconds
        touch(slot, nowMilliseconds: nowMilliseconds)
    }

    /// A passer-by that is followed from now on begins as a tentative.
    public mutating func raiseInterest(of slot: Int, to interest: PeerInterest) {
        guard interest > slots[slot].interest else { return }
        slots[slot].interest = interest
        if slots[slot].standing == .ignored { setStanding(.tentative, of: slot) }
    }

    /// Takes a peer back among the passers-by: it only looked like one of ours.
    public mutating func dropInterest(in slot: Int) {
        slots[slot].interest = .ignored
        setStanding(.ignored, of: slot)
    }

    /// A tentative has proven itself.
    mutating func establish(_ slot: Int) {
        if slots[slot].standing == .tentative { setStanding(.confirmed, of: slot) }
    }

    /// The peer of this standing seen last; go on with ``older(than:)``.
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

    /// Closes the hole by moving later entries of the same run forward, so that look-ups never need tombstones.
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

    // Ended in one place, not wherever one is given up: for the image's size.
    @inline(never)
    deinit {}
}
