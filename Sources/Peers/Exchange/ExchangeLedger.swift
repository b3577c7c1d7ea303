import EncounterLog
import FixedMemory
import HCI

/// The identities and details that were read from each peer over links, and when the agent reads it again.
/// A peer is known by its slot in a ``PeerTable``, which the caller lends.
///
/// The methods that links call are out of line, which keeps the image small.
public struct ExchangeLedger: ~Copyable {
    /// By slot, all zero for a new peer.
    var exchanges: FixedArray<Exchange>
    /// The Herald identities by slot. Entries on their way to the log refer to them. So an identity stays
    /// in its slot after its peer is forgotten, until ``wipeForgotten(in:)``.
    private(set) var identities: FixedArray<FixedBuffer<512>>
    /// The slots of forgotten peers whose identities are not overwritten yet.
    private var forgotten: FixedArray<UInt32>
    private(set) var forgottenCount = 0
    /// The identities of peers in schemes other than Herald.
    public internal(set) var schemes: SchemeLedger
    var formerKeys = FormerKeys()

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

    /// Whether the agent should read the peer's identity, for the first time or again, over a link.
    /// - Parameter isOurs: whether the agent opened the link. A device can connect under another's address,
    ///   so it must not give that one another identity: the agent reads again over links of its own, if it
    ///   can.
    @inline(never)
    public func wantsRead(
        of address: DeviceAddress, isOurs: Bool, in peers: borrowing PeerTable, now: Instant
    ) -> Bool {
        guard let slot = peers.find(address) else { return isOurs }
        if exchanges[slot].isRefused(isOurs: isOurs, now: now) { return false }
        guard exchanges[slot].progress == .done else {
            return isOurs || peers.slots[slot].interest != .ignored
        }
        return exchanges[slot].isRereadDue(now: now) && (isOurs || !isReadable(slot, in: peers, now: now))
    }

    /// Whether the agent hears the peer and may connect to it.
    func isReadable(_ slot: Int, in peers: borrowing PeerTable, now: Instant) -> Bool {
        let heard = peers.slots[slot].lastHeard
        return peers.slots[slot].isConnectable && heard > .start && now <= heard + Self.hearing
    }

    /// A peer counts as heard for this long after an advert.
    private static let hearing = Interval.seconds(30)

    /// Whether the agent should read the identity of a peer over an idle link now. A running exchange does
    /// not defer that, because no read runs on an idle link: the exchange is an attempt to connect, which
    /// the peer has forestalled by its own link.
    @inline(never)
    public func isReadDue(from address: DeviceAddress, in peers: borrowing PeerTable, now: Instant) -> Bool {
        guard let slot = peers.find(address), peers.slots[slot].interest != .ignored else { return false }
        return exchanges[slot].progress == .done
            ? isSchemeSearchDue(slot, in: peers, now: now)
                || exchanges[slot].isRereadDue(now: now) && !isReadable(slot, in: peers, now: now)
            : now >= max(exchanges[slot].nextAttempt, exchanges[slot].nextIncoming)
    }

    /// Whether the agent should connect to the peer for its identity, or those of other schemes, now.
    func isConnectionDue(to slot: Int, in peers: borrowing PeerTable, now: Instant) -> Bool {
        switch exchanges[slot].progress {
        case .needed:
            now >= exchanges[slot].nextAttempt
                && (!exchanges[slot].isRefused(isOurs: true, now: now)
                    || isSchemeSearchDue(slot, in: peers, now: now))
        case .running: false
        case .done:
            isSchemeSearchDue(slot, in: peers, now: now) || exchanges[slot].isRereadDue(now: now)
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

    // MARK: Refusals that will repeat

    /// Whether the peer has refused a request of a scheme other than Herald within the last day.
    @inline(never)
    public func refuses(
        _ request: SchemeRequests, _ address: DeviceAddress, in peers: borrowing PeerTable, now: Instant
    ) -> Bool {
        guard let slot = peers.find(address) else { return false }
        return schemes.refuses(request, slot, peers.slots[slot].key, now: now)
    }

    @inline(never)
    public mutating func markRefused(
        _ request: SchemeRequests, by address: DeviceAddress, in peers: borrowing PeerTable, now: Instant
    ) {
        guard let slot = peers.find(address) else { return }
        schemes.markRefused(request, by: slot, peers.slots[slot].key, now: now)
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
    /// - Parameters:
    ///   - isOurs: whether the agent opened the link, or tried to. A link that the peer opened may be another
    ///     device's under its address, so its failure does not delay the agent's own attempts.
    ///   - isLasting: whether the peer has refused in a way that will repeat.
    @inline(never)
    public mutating func fail(
        with address: DeviceAddress, in peers: borrowing PeerTable, isOurs: Bool = true,
        isLasting: Bool = false, now: Instant, jitter: UInt64
    ) {
        guard let slot = peers.find(address) else { return }
        if isLasting { return exchanges[slot].refuse(isOurs: isOurs, now: now) }
        guard isOurs else {
            return exchanges[slot].failIncoming(now: now, jitter: jitter, isUnsupported: false)
        }
        guard exchanges[slot].progress == .done else {
            return exchanges[slot].fail(now: now, jitter: jitter)
        }
        if exchanges[slot].isRereadDue(now: now) { exchanges[slot].failReread(now: now, jitter: jitter) }
        // If no search was due, something else failed.
        guard isSchemeSearchDue(slot, in: peers, now: now) else { return }
        schemes.searchFailed(slot, peers.slots[slot].key, now: now, jitter: jitter)
    }

    /// Records that the peer offers none of our services.
    mutating func markUnsupported(_ slot: Int, isOurs: Bool, now: Instant, jitter: UInt64) {
        if isOurs {
            exchanges[slot].fail(now: now, jitter: jitter, isUnsupported: true)
        } else {
            exchanges[slot].failIncoming(now: now, jitter: jitter, isUnsupported: true)
        }
    }

    /// Records that a link was searched for all enabled schemes.
    /// - Parameters:
    ///   - hasFound: whether the peer has given an identity in any of them.
    ///   - identityEnd: when an identity that it has given is over, as far as known.
    @inline(never)
    public mutating func schemeSearchEnded(
        on address: DeviceAddress, hasFound: Bool, before identityEnd: Instant = .distantFuture,
        jitter: UInt64 = 0, in peers: borrowing PeerTable, now: Instant
    ) {
        guard let slot = peers.find(address) else { return }
        let key = peers.slots[slot].key
        let end = schemes.searchEnded(
            slot, key, hasFound: hasFound, before: identityEnd, jitter: jitter, now: now)
        // The peer has no Herald service. The agent looks for it again when the other schemes are due.
        if hasFound { exchanges[slot].rest(until: end) }
    }

    // MARK: Identities

    /// Judges a Herald identity. The ledger accepts another one once a minute, so that no peer can fill the
    /// log. The peer will give a refused one again. One that was read replaces a written one immediately.
    func verdict(
        on identity: FixedBuffer<512>, of slot: Int, isWritten: Bool = false, now: Instant
    ) -> IdentityVerdict {
        let exchange = exchanges[slot]
        guard exchange.hasIdentity, isWritten || !exchange.hasWritten else { return .new }
        if identities[slot] == identity { return .known }
        if isWritten, exchange.progress == .done { return .contradiction }
        return now >= (isWritten ? exchange.nextWritten : exchange.nextAttempt) ? .new : .tooSoon
    }

    /// Whether to record a written identity that contradicts the one that was read: another one each time,
    /// and one a minute.
    func allowsContradiction(by identity: FixedBuffer<512>, of slot: Int, now: Instant) -> Bool {
        now >= exchanges[slot].nextWritten
            && exchanges[slot].contradictionDigest != IdentityDigest.of(identity)
    }

    mutating func markContradicted(_ slot: Int, by identity: FixedBuffer<512>, now: Instant) {
        exchanges[slot].contradictionDigest = IdentityDigest.of(identity)
        exchanges[slot].nextWritten = now + Exchange.changePause
    }

    /// Stores a new identity. It counts as read after ``succeed(_:now:)``.
    mutating func store(_ identity: FixedBuffer<512>, of slot: Int) {
        identities[slot] = identity
        exchanges[slot].identityDigest = IdentityDigest.of(identity)
    }

    mutating func succeed(_ slot: Int, now: Instant) {
        exchanges[slot].succeed(now: now)
    }

    /// Records that the stored identity is one that the peer wrote.
    mutating func acceptWritten(_ slot: Int, now: Instant) {
        exchanges[slot].hasWritten = true
        exchanges[slot].nextWritten = now + Exchange.changePause
    }

    /// Records that a later read found the stored identity.
    mutating func confirm(_ slot: Int, now: Instant) { exchanges[slot].confirm(now: now) }

    /// Records that a peer with a pseudo address was heard under another address than before.
    mutating func move(_ slot: Int, now: Instant) {
        exchanges[slot].forgetRefusal(now: now)
        if exchanges[slot].progress == .done { exchanges[slot].move(now: now) }
    }

    /// Forgets the state of a peer that leaves the table.
    @inline(never)
    ///
    /// - Parameter isIdentified: whether the peer gave an identity over a link.
    mutating func forget(_ slot: Int, isIdentified: Bool) {
        let hasIdentity = isIdentified || schemes.hasAdvertisedIdentity(slot)
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
