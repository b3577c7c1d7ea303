import FixedMemory
import HCI

/// What peers are told by writing: our payload and how we hear them, and payloads of others.
extension Recorder {
    public func key(of address: DeviceAddress) -> PeerKey? { peers.find(address).map { peers.slots[$0].key } }

    public func hasIdentity(of address: DeviceAddress) -> Bool {
        guard let slot = peers.find(address) else { return false }
        return peers.slots[slot].exchange.progress == .done
    }

    /// A link has shown how the peer takes signals.
    public mutating func noteSignal(_ characteristic: SignalCharacteristic, of address: DeviceAddress) {
        guard let slot = peers.find(address) else { return }
        var signals = peers.signals(of: slot)
        signals.characteristic = characteristic
        peers.setSignals(signals, of: slot)
    }

    /// What the peer is to be told now, over a link that is open. It has to have said who it is.
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

    /// The peer has acknowledged it.
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

    /// The peer has written to us, or taken what was written to it: it need not be woken.
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

    /// A link has ended while the peer owed us its MTU.
    public mutating func noteMTUSilence(of address: DeviceAddress) {
        guard let slot = peers.find(address) else { return }
        var signals = peers.signals(of: slot)
        signals.isSilentToMTU = true
        peers.setSignals(signals, of: slot)
    }

    /// Whether the peer is to be asked for its MTU on a new link: not on the one after that on which it never answered. It may
    /// just have gone away then, so over the next it is asked again.
    public mutating func takeMTUQuestion(for address: DeviceAddress) -> Bool {
        guard let slot = peers.find(address) else { return true }
        var signals = peers.signals(of: slot)
        guard signals.isSilentToMTU else { return true }
        signals.isSilentToMTU = false
        peers.setSignals(signals, of: slot)
        return false
    }

    /// Whether the peer has not yet been asked for its model; from now on it has.
    public mutating func takeModelQuestion(for address: DeviceAddress) -> Bool {
        guard let slot = peers.find(address) else { return false }
        var signals = peers.signals(of: slot)
        guard !signals.isModelAsked else { return false }
        signals.isModelAsked = true
        peers.setSignals(signals, of: slot)
        return true
    }

    // MARK: Sharing

    /// Fills `payloads` with what a peer has not been told yet of those heard lately, newest first: identities as long as
    /// its own, for it tells them apart by that length alone; its own left out, and such as name nobody.
    /// - Returns: false when there is none. The peer is then not asked about for a while.
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

/// Whom a message goes to.
extension Recorder {
    /// The one heard last of those who have said this identity.
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

    /// Whether a peer takes part and, as far as is known, has a characteristic to write messages to.
    public func takesMessages(_ slot: Int) -> Bool {
        peers.slots[slot].interest == .participant && peers.signals(of: slot).characteristic != .absent
    }

    /// What the peer's identity comes to; 0 while there is none.
    public func identityDigest(of slot: Int) -> UInt32 { peers.slots[slot].exchange.identityDigest }

    /// What a peer is known by now that is not known by `key` any more: it was renamed, or merged with a later one.
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
