import EncounterLog
import FixedMemory
import HCI

/// The identities and details that were read from each peer over links, and when the agent reads it again.
/// A peer is known by its slot in a ``PeerTable``, which the caller lends.
///
/// The methods that links call are out of line, which keeps the image small.
public struct ExchangeLedger: ~Copyable {
    /// By slot, all zero for a new peer.
    private var exchanges: FixedArray<Exchange>
    /// The Herald identities by slot. Entries on their way to the log refer to them. So an identity stays
    /// in its slot after its peer is forgotten, until ``wipeForgotten(in:)``.
    private(set) var identities: FixedArray<FixedBuffer<512>>
    /// The slots of forgotten peers whose identities are not overwritten yet.
    private var forgotten: FixedArray<UInt32>
    private(set) var forgottenCount = 0
    /// The identities of peers in schemes other than Herald.
    public internal(set) var schemes: SchemeLedger
    private var formerKeys = FormerKeys()

    /// `capacity`: the number of slots in the peer table.
    public init(capacity: Int, heardHints: PeerHintSet) throws(MemoryError) {
        let exchanges = try FixedArray<Exchange>(zeroed: capacity)
        // Untouched memory pages cost nothing, so identities take memory only as they arrive.
        let identities = try FixedArray<FixedBuffer<512>>(zeroed: capacity)
        let schemes = try SchemeLedger(capacity: capacity, heardHints: heardHints)
        let forgotten = try FixedArray<UInt32>(zeroed: capacity)
        self.forgotten = forgotten
        self.exchanges = exchanges
        self.identities = identities
        self.schemes = schemes
    }

    /// The state of reading a peer's Herald identity.
    public subscript(slot: Int) -> Exchange { exchanges[slot] }

    // MARK: Due exchanges

    /// Whether the agent still has to read the peer's identity.
    @inline(never)
    public func needsIdentity(of address: DeviceAddress, in peers: borrowing PeerTable) -> Bool {
        guard let slot = peers.find(address) else { return false }
        return peers.slots[slot].interest != .ignored && exchanges[slot].progress != .done
    }

    @inline(never)
    public func hasIdentity(of address: DeviceAddress, in peers: borrowing PeerTable) -> Bool {
        guard let slot = peers.find(address) else { return false }
        return exchanges[slot].progress == .done
    }

    /// Whether the agent should read the identity of a peer over an idle link now. A running exchange does
    /// not defer that, because no read runs on an idle link: the exchange is an attempt to connect, which
    /// the peer has forestalled by its own link.
    @inline(never)
    public func isReadDue(from address: DeviceAddress, in peers: borrowing PeerTable, now: Instant) -> Bool {
        guard let slot = peers.find(address), peers.slots[slot].interest != .ignored else { return false }
        return exchanges[slot].progress == .done
            ? isSchemeSearchDue(slot, in: peers, now: now)
            : now >= exchanges[slot].nextAttempt
    }

    /// Whether the agent should connect to the peer for its identity, or those of other schemes, now.
    func isConnectionDue(to slot: Int, in peers: borrowing PeerTable, now: Instant) -> Bool {
        switch exchanges[slot].progress {
        case .needed: now >= exchanges[slot].nextAttempt
        case .running: false
        case .done: isSchemeSearchDue(slot, in: peers, now: now)
        }
    }

    /// Whether the agent should search this peer for schemes beside Herald now.
    @inline(never)
    public func isSchemeSearchDue(
        on address: DeviceAddress, in peers: borrowing PeerTable, now: Instant
    ) -> Bool {
        guard let slot = peers.find(address) else { return false }
        return isSchemeSearchDue(slot, in: peers, now: now)
    }

    private func isSchemeSearchDue(_ slot: Int, in peers: borrowing PeerTable, now: Instant) -> Bool {
        peers.slots[slot].interest != .ignored
            && schemes.isSearchDue(slot, peers.slots[slot].key, now: now)
    }

    /// Whether an attempt to read the peer's identity has failed.
    @inline(never)
    public func hasFailed(_ address: DeviceAddress, in peers: borrowing PeerTable) -> Bool {
        guard let slot = peers.find(address) else { return false }
        return exchanges[slot].failures > 0
    }

    // MARK: Attempts

    /// Records that the agent has begun to read an identity.
    @inline(never)
    public mutating func start(with address: DeviceAddress, in peers: inout PeerTable) {
        guard let slot = peers.find(address), exchanges[slot].progress != .done else { return }
        exchanges[slot].progress = .running
        if peers.slots[slot].key.isPseudoAddress { peers.aliases[slot].askedAddress = address }
    }

    /// Records that this attempt failed, and sets the back-off.
    @inline(never)
    public mutating func fail(
        with address: DeviceAddress, in peers: borrowing PeerTable, now: Instant, jitter: UInt64
    ) {
        guard let slot = peers.find(address) else { return }
        guard exchanges[slot].progress == .done else {
            return exchanges[slot].fail(now: now, jitter: jitter)
        }
        // If no search was due, something else failed.
        guard isSchemeSearchDue(slot, in: peers, now: now) else { return }
        schemes.searchFailed(slot, peers.slots[slot].key, now: now, jitter: jitter)
    }

    /// Records that the peer offers none of our services.
    mutating func markUnsupported(_ slot: Int, now: Instant, jitter: UInt64) {
        exchanges[slot].fail(now: now, jitter: jitter, isUnsupported: true)
    }

    /// Records that a link was searched for all enabled schemes.
    /// - Parameter hasFound: whether the peer has given an identity in any of them.
    @inline(never)
    public mutating func schemeSearchEnded(
        on address: DeviceAddress, hasFound: Bool, in peers: borrowing PeerTable, now: Instant
    ) {
        guard let slot = peers.find(address) else { return }
        let key = peers.slots[slot].key
        let end = schemes.searchEnded(slot, key, hasFound: hasFound, now: now)
        // The peer has no Herald service. The agent looks for it again when the other schemes are due.
        if hasFound { exchanges[slot].rest(until: end) }
    }

    // MARK: Identities

    /// Judges a Herald identity. The ledger accepts another one once a minute, so that no peer can fill the
    /// log. The peer will give a refused one again.
    func verdict(on identity: FixedBuffer<512>, of slot: Int, now: Instant) -> IdentityVerdict {
        guard exchanges[slot].progress == .done else { return .new }
        if identities[slot] == identity { return .known }
        return now >= exchanges[slot].nextAttempt ? .new : .tooSoon
    }

    /// Stores a new identity. It counts as read after ``succeed(_:now:)``.
    mutating func store(_ identity: FixedBuffer<512>, of slot: Int) {
        identities[slot] = identity
        exchanges[slot].identityDigest = IdentityDigest.of(identity)
    }

    mutating func succeed(_ slot: Int, now: Instant) {
        exchanges[slot].succeed(now: now)
    }

    /// Forgets the state of a peer that leaves the table.
    @inline(never)
    mutating func forget(_ slot: Int) {
        let hasIdentity = exchanges[slot].identityDigest != 0 || schemes.hasContent(slot)
        exchanges[slot] = Exchange()
        guard hasIdentity, forgottenCount < forgotten.count else { return }
        forgotten[forgottenCount] = UInt32(truncatingIfNeeded: slot)
        forgottenCount += 1
    }

    /// Overwrites the identities of peers that have left the table. No entry may refer to one any more. A new
    /// peer in such a slot keeps its own.
    @inline(never)
    mutating func wipeForgotten(in peers: borrowing PeerTable) {
        for index in 0..<forgottenCount {
            let slot = Int(truncatingIfNeeded: forgotten[index])
            if exchanges[slot].identityDigest == 0 { identities.wipe(slot) }
            schemes.wipe(slot, besides: peers.slots[slot].key)
        }
        forgottenCount = 0
    }

    // Destroyed in one place, because inlined copies enlarge the board's image.
    @inline(never)
    deinit {}
}

/// Finding peers by the identity that they gave.
extension ExchangeLedger {
    /// The peer heard last among those with this identity.
    public func newestPeer(
        identifiedAs identity: FixedBuffer<512>, in peers: borrowing PeerTable
    ) -> Int? {
        let digest = IdentityDigest.of(identity)
        var next = peers.newest(.confirmed)
        while let slot = next {
            if exchanges[slot].identityDigest == digest, identities[slot] == identity { return slot }
            next = peers.older(than: slot)
        }
        return nil
    }

    /// The current key of the peer that had `key`, even if the peer was renamed or merged with a later one.
    public func successor(
        of key: PeerKey, identityDigest: UInt32, in peers: borrowing PeerTable
    ) -> PeerKey? {
        if let address = key.address, let slot = peers.find(address) { return peers.slots[slot].key }
        guard identityDigest != 0 else { return nil }
        for slot in 0..<peers.firstUnused
        where exchanges[slot].identityDigest == identityDigest && exchanges[slot].progress == .done {
            return peers.slots[slot].key
        }
        return nil
    }

    /// Finds the same device under an earlier address: a peer with this identity, last heard before this one
    /// was first heard, within the encounter timeout. Peers heard at the same time are different devices. A
    /// peer that returns under a key of ``markFormer(_:)`` counts as a different device, too.
    func predecessor(of slot: Int, in peers: borrowing PeerTable, encounterTimeout: Interval) -> Int? {
        let track = peers.slots[slot].track
        guard track.isOpen, !formerKeys.contains(peers.slots[slot].key),
            IdentityDigest.namesDevice(identities[slot])
        else { return nil }
        let digest = exchanges[slot].identityDigest
        for other in 0..<peers.firstUnused
        where exchanges[other].identityDigest == digest && other != slot {
            guard exchanges[other].progress == .done, peers.slots[other].track.isWritten,
                peers.slots[other].track.last <= track.first,
                !peers.slots[other].track.hasEnded(at: track.first, encounterTimeout: encounterTimeout),
                identities[other] == identities[slot]
            else { continue }
            return other
        }
        return nil
    }

    /// Records that the device under this key was recognised under a later one.
    mutating func markFormer(_ key: PeerKey) { formerKeys.insert(key) }

    /// Whether the agent may give the identity of one peer to another. Both must have given one, of the
    /// same length, because that length alone separates them in a message.
    func mayShare(_ other: Int, with slot: Int) -> Bool {
        exchanges[other].progress == .done && exchanges[slot].progress == .done
            && other != slot && identities[other].count == identities[slot].count
            && identities[other] != identities[slot] && IdentityDigest.namesDevice(identities[other])
    }
}
