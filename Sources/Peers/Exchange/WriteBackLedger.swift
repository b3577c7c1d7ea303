import FixedMemory
import HCI

/// The signals that the agent has written to each peer, and the ones that are next: our payload, how
/// strongly we hear the peer, and payloads of other devices. A peer is known by its slot in a
/// ``PeerTable``, which the caller lends.
///
/// The methods that links call are out of line, which keeps the image small.
public struct WriteBackLedger: ~Copyable {
    /// The state of peers that have had a link, by slot. It counts only for the key in it.
    private var signals: FixedArray<PeerSignals>
    private var sharing: SharingBook

    /// `capacity`: the number of slots in the peer table.
    public init(capacity: Int) throws(MemoryError) {
        let signals = try FixedArray<PeerSignals>(zeroed: capacity)
        let sharing = try SharingBook()
        self.signals = signals
        self.sharing = sharing
    }

    // MARK: The state of a peer

    /// The state of our writes to the peer; empty if the stored one belongs to a former peer of this slot.
    func state(of slot: Int, _ key: PeerKey) -> PeerSignals {
        let state = signals[slot]
        return state.key == key.rawValue ? state : PeerSignals()
    }

    @inline(never)
    mutating func setState(_ state: PeerSignals, of slot: Int, _ key: PeerKey) {
        signals[slot] = state
        signals[slot].key = key.rawValue
    }

    /// Takes over the state that the same device had in another slot.
    mutating func merge(_ earlier: Int, into slot: Int, in peers: borrowing PeerTable) {
        let key = peers.slots[slot].key
        var state = state(of: slot, key)
        state.absorb(from: self.state(of: earlier, peers.slots[earlier].key))
        setState(state, of: slot, key)
    }

    /// Changes the state of the peer at `address`.
    /// - Returns: nil if the table has no such peer.
    @inline(__always)
    private mutating func update<Result>(
        _ address: DeviceAddress, in peers: borrowing PeerTable,
        _ change: (inout PeerSignals) -> Result
    ) -> Result? {
        guard let slot = peers.find(address) else { return nil }
        let key = peers.slots[slot].key
        var state = state(of: slot, key)
        let result = change(&state)
        setState(state, of: slot, key)
        return result
    }

    /// Records which signal characteristic a link has shown on the peer.
    @inline(never)
    public mutating func record(
        _ characteristic: SignalCharacteristic, of address: DeviceAddress, in peers: borrowing PeerTable
    ) {
        _ = update(address, in: peers) { $0.characteristic = characteristic }
    }

    /// Whether the peer is a participant that, as far as is known, has a characteristic for messages.
    @inline(never)
    public func takesMessages(_ slot: Int, in peers: borrowing PeerTable) -> Bool {
        peers.slots[slot].interest == .participant
            && state(of: slot, peers.slots[slot].key).characteristic != .absent
    }

    // MARK: Requests that are made once

    /// Records that a link ended before the peer answered our MTU request.
    @inline(never)
    public mutating func markMTUUnanswered(by address: DeviceAddress, in peers: borrowing PeerTable) {
        _ = update(address, in: peers) { $0.isSilentToMTU = true }
    }

    /// Whether to request the peer's MTU on a new link. The agent skips the request on the first link after
    /// one without an answer. The peer may only have gone out of range, so the agent requests again on the
    /// link after that.
    @inline(never)
    public mutating func takeMTURequest(for address: DeviceAddress, in peers: borrowing PeerTable) -> Bool {
        update(address, in: peers) { state in
            defer { state.isSilentToMTU = false }
            return !state.isSilentToMTU
        } ?? true
    }

    /// Whether the agent has not yet read the peer's model. Marks it as read.
    @inline(never)
    public mutating func takeModelRequest(for address: DeviceAddress, in peers: borrowing PeerTable) -> Bool {
        update(address, in: peers) { state in
            defer { state.isModelAsked = true }
            return !state.isModelAsked
        } ?? false
    }

    // Destroyed in one place, because inlined copies enlarge the board's image.
    @inline(never)
    deinit {}
}

/// Writes: due, acknowledged, failed.
extension WriteBackLedger {
    /// The write that is due to the peer now, over an open link. Nil unless the peer has given its
    /// identity.
    @inline(never)
    public func due(
        to address: DeviceAddress, in peers: borrowing PeerTable, _ exchanges: borrowing ExchangeLedger,
        _ rules: WriteBackRules, now: Instant
    ) -> WriteBack? {
        guard let slot = peers.find(address) else { return nil }
        return due(to: slot, in: peers, exchanges, rules, now: now)
    }

    func due(
        to slot: Int, in peers: borrowing PeerTable, _ exchanges: borrowing ExchangeLedger,
        _ rules: WriteBackRules, now: Instant
    ) -> WriteBack? {
        guard exchanges[slot].progress == .done,
            let due = rules.due(state(of: slot, peers.slots[slot].key), now: now)
        else { return nil }
        return due == .reading && peers.slots[slot].rssi == nil ? nil : due
    }

    /// Records that the peer has acknowledged the write.
    @inline(never)
    public mutating func complete(
        _ what: WriteBack, to address: DeviceAddress, in peers: borrowing PeerTable, _ rules: WriteBackRules,
        now: Instant
    ) {
        guard let slot = peers.find(address) else { return }
        let key = peers.slots[slot].key
        var state = state(of: slot, key)
        state.failures = 0
        state.nextWake = now + WriteBackRules.silence
        switch what {
        case .payload: state.writtenDigest = rules.ownDigest
        case .reading: state.nextReading = now + rules.readingInterval
        case .sharing:
            state.nextSharing = now + WriteBackRules.sharingInterval
            sharing.confirm(key)
        case .wake: break
        }
        setState(state, of: slot, key)
    }

    /// Records that a write has failed.
    /// - Parameter isLasting: whether the peer has refused it in a way that will repeat.
    @inline(never)
    public mutating func fail(
        to address: DeviceAddress, in peers: borrowing PeerTable, isLasting: Bool = false, now: Instant,
        jitter: UInt64
    ) {
        guard let slot = peers.find(address) else { return }
        let key = peers.slots[slot].key
        var state = state(of: slot, key)
        state.fail(isLasting: isLasting, now: now, jitter: jitter)
        setState(state, of: slot, key)
        sharing.withdraw(key)
    }

    /// Records that the peer has written to us or acknowledged a write, so it need not be woken.
    @inline(never)
    public mutating func markAwake(_ address: DeviceAddress, in peers: borrowing PeerTable, now: Instant) {
        _ = update(address, in: peers) {
            $0.nextWake = now + WriteBackRules.silence
        }
    }

    // MARK: Sharing

    /// Fills `payloads` with identities of recently heard peers that this peer has not received yet, newest
    /// first. Its own identity, and payloads that name no device, are left out.
    /// - Returns: false if there is none. The next check is due after the sharing interval.
    @inline(never)
    public mutating func takePayloads(
        toShareWith address: DeviceAddress, into payloads: inout FixedBuffer<507>,
        from peers: borrowing PeerTable, _ exchanges: borrowing ExchangeLedger, now: Instant
    ) -> Bool {
        payloads.removeAll()
        guard let slot = peers.find(address) else { return false }
        let key = peers.slots[slot].key
        sharing.withdraw(key)
        var next = peers.newest(.confirmed)
        var looks = 0
        while looks < Self.longestSharingLook, let other = next,
            peers.slots[other].lastSeen + WriteBackRules.sharedAge >= now
        {
            looks += 1
            next = peers.older(than: other)
            guard exchanges.mayShare(other, with: slot),
                payloads.freeCount >= exchanges.identities[other].count,
                sharing.take(exchanges[other].identityDigest, for: key)
            else { continue }
            try? payloads.append(exchanges.identities[other].span)
        }
        if payloads.isEmpty {
            var state = state(of: slot, key)
            state.nextSharing = now + WriteBackRules.sharingInterval
            setState(state, of: slot, key)
        }
        return !payloads.isEmpty
    }

    /// Whether there is anything to share with the peer.
    mutating func hasPayloads(
        toShareWith address: DeviceAddress, from peers: borrowing PeerTable,
        _ exchanges: borrowing ExchangeLedger, now: Instant
    ) -> Bool {
        var payloads = FixedBuffer<507>()
        guard
            takePayloads(toShareWith: address, into: &payloads, from: peers, exchanges, now: now)
        else { return false }
        if let key = peers.key(of: address) { sharing.withdraw(key) }
        return true
    }

    private static var longestSharingLook: Int { 512 }
}
