import FixedMemory
import HCI

/// Writes to peers: our payload, how strongly we hear them, and payloads of other devices.
extension Recorder {
    public func key(of address: DeviceAddress) -> PeerKey? { peers.find(address).map { peers.slots[$0].key } }

    public func hasIdentity(of address: DeviceAddress) -> Bool {
        guard let slot = peers.find(address) else { return false }
        return peers.slots[slot].exchange.progress == .done
    }

    /// Records which signal characteristic a link has shown on the peer.
    public mutating func noteSignal(_ characteristic: SignalCharacteristic, of address: DeviceAddress) {
        guard let slot = peers.find(address) else { return }
        var signals = peers.signals(of: slot)
        signals.characteristic = characteristic
        peers.setSignals(signals, of: slot)
    }

    /// The write that is due to the peer now, over an open link. Nil unless the peer has given its identity.
    public func writeBackDue(
        to address: DeviceAddress, _ rules: WriteBackRules, nowMilliseconds now: UInt64
    ) -> WriteBack? {
        peers.find(address).flatMap { writeBackDue(to: $0, rules, nowMilliseconds: now) }
    }

    func writeBackDue(to slot: Int, _ rules: WriteBackRules, nowMilliseconds now: UInt64) -> WriteBack? {
        guard peers.slots[slot].exchange.progress == .done,
            let due = rules.due(peers.signals(of: slot), nowMilliseconds: now)
        else { return nil }
        return due == .reading && peers.slots[slot].rssi == nil ? nil : due
    }

    /// Records that the peer has acknowledged the write.
    public mutating func writeBackDone(
        _ what: WriteBack, to address: DeviceAddress, _ rules: WriteBackRules, nowMilliseconds now: UInt64
    ) {
        guard let slot = peers.find(address) else { return }
        var signals = peers.signals(of: slot)
        signals.failures = 0
        signals.nextWakeMilliseconds = now + WriteBackRules.silenceMilliseconds
        switch what {
        case .payload: signals.toldDigest = rules.ownDigest
        case .reading: signals.nextReadingMilliseconds = now + rules.readingIntervalMilliseconds
        case .sharing:
            signals.nextSharingMilliseconds = now + WriteBackRules.sharingIntervalMilliseconds
            sharing.confirm(peers.slots[slot].key)
        case .wake: break
        }
        peers.setSignals(signals, of: slot)
    }

    /// Records that the peer has written to us or acknowledged a write, so it need not be woken.
    public mutating func noteAwake(_ address: DeviceAddress, nowMilliseconds now: UInt64) {
        guard let slot = peers.find(address) else { return }
        var signals = peers.signals(of: slot)
        signals.nextWakeMilliseconds = now + WriteBackRules.silenceMilliseconds
        peers.setSignals(signals, of: slot)
    }

    public mutating func writeBackFailed(
        to address: DeviceAddress, nowMilliseconds now: UInt64, jitter: UInt64
    ) {
        guard let slot = peers.find(address) else { return }
        var signals = peers.signals(of: slot)
        signals.fail(nowMilliseconds: now, jitter: jitter)
        peers.setSignals(signals, of: slot)
        sharing.withdraw(peers.slots[slot].key)
    }

    /// Records that a link ended before the peer answered our MTU request.
    public mutating func noteMTUSilence(of address: DeviceAddress) {
        guard let slot = peers.find(address) else { return }
        var signals = peers.signals(of: slot)
        signals.isSilentToMTU = true
        peers.setSignals(signals, of: slot)
    }

    /// Whether to request the peer's MTU on a new link. The agent skips the request on the first link after
    /// one without an answer. The peer may only have gone out of range, so the agent requests again on the
    /// link after that.
    public mutating func takeMTUQuestion(for address: DeviceAddress) -> Bool {
        guard let slot = peers.find(address) else { return true }
        var signals = peers.signals(of: slot)
        guard signals.isSilentToMTU else { return true }
        signals.isSilentToMTU = false
        peers.setSignals(signals, of: slot)
        return false
    }

    /// Whether the agent has not yet read the peer's model. Marks it as read.
    public mutating func takeModelQuestion(for address: DeviceAddress) -> Bool {
        guard let slot = peers.find(address) else { return false }
        var signals = peers.signals(of: slot)
        guard !signals.isModelAsked else { return false }
        signals.isModelAsked = true
        peers.setSignals(signals, of: slot)
        return true
    }

    // MARK: Sharing

    /// Fills `payloads` with identities of recently heard peers that this peer has not received yet, newest
    /// first. All have the length of its own identity, because that length alone separates them. Its own
    /// identity, and payloads that name no device, are left out.
    /// - Returns: false if there is none. The next check is due after the sharing interval.
    @inline(never)
    public mutating func takePayloads(
        toShareWith address: DeviceAddress, into payloads: inout FixedBuffer<507>, nowMilliseconds now: UInt64
    ) -> Bool {
        payloads.removeAll()
        guard let slot = peers.find(address) else { return false }
        let key = peers.slots[slot].key
        sharing.withdraw(key)
        var next = peers.newest(.confirmed)
        var looks = 0
        while looks < Self.longestSharingLook, let other = next,
            peers.slots[other].lastSeenMilliseconds + WriteBackRules.sharedAgeMilliseconds >= now
        {
            looks += 1
            next = peers.older(than: other)
            guard mayShare(other, with: slot) else { continue }
            let digest = peers.slots[other].exchange.identityDigest
            guard payloads.freeCount >= identities[other].count, sharing.take(digest, for: key) else {
                continue
            }
            try? payloads.append(identities[other].span)
        }
        if payloads.isEmpty {
            var signals = peers.signals(of: slot)
            signals.nextSharingMilliseconds = now + WriteBackRules.sharingIntervalMilliseconds
            peers.setSignals(signals, of: slot)
        }
        return !payloads.isEmpty
    }

    /// Whether there is anything to share with the peer.
    mutating func hasPayloads(toShareWith address: DeviceAddress, nowMilliseconds now: UInt64) -> Bool {
        var payloads = FixedBuffer<507>()
        guard takePayloads(toShareWith: address, into: &payloads, nowMilliseconds: now) else { return false }
        if let key = key(of: address) { sharing.withdraw(key) }
        return true
    }

    private static var longestSharingLook: Int { 512 }

    private func mayShare(_ other: Int, with slot: Int) -> Bool {
        peers.slots[other].exchange.progress == .done && peers.slots[slot].exchange.progress == .done
            && other != slot && identities[other].count == identities[slot].count
            && identities[other] != identities[slot] && Self.namesSomeone(identities[other])
    }
}

/// Destinations of immediate messages.
extension Recorder {
    /// The peer heard last among those with this identity.
    public func newestPeer(identifiedAs identity: FixedBuffer<512>) -> Int? {
        let digest = Self.digest(identity)
        var next = peers.newest(.confirmed)
        while let slot = next {
            if peers.slots[slot].exchange.identityDigest == digest, identities[slot] == identity {
                return slot
            }
            next = peers.older(than: slot)
        }
        return nil
    }

    /// Whether the peer is a participant that, as far as is known, has a characteristic for messages.
    public func takesMessages(_ slot: Int) -> Bool {
        peers.slots[slot].interest == .participant && peers.signals(of: slot).characteristic != .absent
    }

    /// The digest of the peer's identity; 0 while there is none.
    public func identityDigest(of slot: Int) -> UInt32 { peers.slots[slot].exchange.identityDigest }

    /// The present key of the peer that `key` once identified, after it was renamed or merged with a later
    /// peer.
    public func successor(of key: PeerKey, identityDigest: UInt32) -> PeerKey? {
        if let address = key.address, let slot = peers.find(address) { return peers.slots[slot].key }
        guard identityDigest != 0 else { return nil }
        for slot in 0..<peers.firstUnused
        where peers.slots[slot].exchange.identityDigest == identityDigest
            && peers.slots[slot].exchange.progress == .done
        {
            return peers.slots[slot].key
        }
        return nil
    }
}
