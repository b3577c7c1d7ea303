import EncounterLog
import FixedMemory
import HCI
import Schemes

/// One device under several addresses. The rules, and the reasons for them: docs/peers.md.
extension Recorder {
    /// The number of returns to the previous address after which one pseudo address stands for two devices:
    /// no device returns by itself.
    private static var returnsOfOneDevice: UInt8 { 4 }

    /// Finds or adds the peer with this pseudo address; nil if the table is full. Under another address it
    /// is, as a rule, the same device after an address change. But some phones derive their pseudo address
    /// from the time, so two may share one. Such a pseudo address identifies no device, and each of the
    /// devices is known by its address.
    mutating func settle(_ key: PeerKey, at address: DeviceAddress, nowMilliseconds now: UInt64) -> Int? {
        guard let slot = peers.find(key) else { return introduce(key, at: address, nowMilliseconds: now) }
        peers.touch(slot, nowMilliseconds: now)
        if peers.aliases[slot].address == address { return slot }
        peers.moveCount &+= 1
        guard peers.aliases[slot].returns < Self.returnsOfOneDevice else {
            guard let known = peers.find(PeerKey(address)) else {
                return add(PeerKey(address), at: address, isFollowed: true, nowMilliseconds: now)
            }
            peers.touch(known, nowMilliseconds: now)
            return known
        }
        if address == peers.aliases[slot].previousAddress { peers.aliases[slot].returns += 1 }
        peers.aliases[slot].previousAddress = peers.aliases[slot].address
        peers.aliases[slot].address = address
        // From now on the pseudo address stands for the device whose identity was read.
        if peers.aliases[slot].returns == Self.returnsOfOneDevice,
            let asked = peers.aliases[slot].askedAddress,
            peers.slots[slot].exchange.progress != .needed
        {
            peers.aliases[slot].address = asked
        }
        return slot
    }

    /// Handles a pseudo address heard for the first time. A peer that was known by this address alone gets
    /// the pseudo address as its new key, and keeps everything else.
    private mutating func introduce(
        _ key: PeerKey, at address: DeviceAddress, nowMilliseconds now: UInt64
    ) -> Int? {
        guard let known = peers.find(PeerKey(address)) else {
            return add(key, at: address, isFollowed: true, nowMilliseconds: now)
        }
        peers.rename(known, to: key)
        peers.touch(known, nowMilliseconds: now)
        if peers.slots[known].track.isWritten { writePseudoAddress(of: known, nowMilliseconds: now) }
        return known
    }

    /// Finds the earlier peer with the same identity that fell silent before this one was first heard. It is
    /// the same device if its encounter has not timed out. Two peers heard at once are two devices, even with
    /// one identity. So is a peer that reappears under an address that a merged peer had left.
    func findEarlier(_ slot: Int) -> Int? {
        let peer = peers.slots[slot]
        guard peer.track.isOpen, !formerKeys.contains(peer.key), Self.namesSomeone(identities[slot]) else {
            return nil
        }
        for other in 0..<peers.firstUnused
        where peers.slots[other].exchange.identityDigest == peer.exchange.identityDigest && other != slot {
            guard peers.slots[other].exchange.progress == .done, peers.slots[other].track.isWritten,
                peers.slots[other].track.lastMilliseconds <= peer.track.firstMilliseconds,
                !peers.slots[other].track.hasEnded(
                    atMilliseconds: peer.track.firstMilliseconds, gapMilliseconds: settings.gapMilliseconds),
                identities[other] == identities[slot]
            else { continue }
            return other
        }
        return nil
    }

    /// Continues the earlier address' encounter under the new one.
    mutating func merge(_ earlier: Int, into slot: Int, nowMilliseconds now: UInt64) {
        writeSample(of: earlier)
        let gathered = peers.slots[slot].track
        if gathered.isWritten { close(slot) }
        peers.slots[slot].track = peers.slots[earlier].track
        if !gathered.isWritten { peers.slots[slot].track.absorb(with: gathered) }
        peers.slots[slot].track.lastMilliseconds = gathered.lastMilliseconds
        peers.slots[slot].track.turnAtNextReading()
        peers.slots[earlier].track = Track()
        var signals = peers.signals(of: slot)
        signals.absorb(from: peers.signals(of: earlier))
        peers.setSignals(signals, of: slot)
        formerKeys.note(peers.slots[earlier].key)
        peers.remove(earlier)
        peers.raiseInterest(of: slot, to: .participant)
        peers.establish(slot)
        counters.merged &+= 1
        push(
            .details(
                encounter: peers.slots[slot].track.encounter, milliseconds: now, .otherAddress,
                peers.address(of: slot)))
        writePseudoAddress(of: slot, nowMilliseconds: now)
    }

    /// Writes the pseudo address of the open encounter's peer, if it has one.
    mutating func writePseudoAddress(of slot: Int, nowMilliseconds now: UInt64) {
        let key = peers.slots[slot].key
        guard key.isPseudoAddress else { return }
        push(
            .details(
                encounter: peers.slots[slot].track.encounter, milliseconds: now, .pseudoAddress,
                DeviceAddress(value: key.rawValue, isRandom: false)))
    }

    /// Whether the identity names a device. All phones whose keys have run out send zeros (docs/peers.md);
    /// zeros join no peers.
    @inline(never)
    static func namesSomeone(_ identity: FixedBuffer<512>) -> Bool {
        do throws(HeraldPayloadError) {
            return try HeraldPayload(parsing: identity.span).isIdentity
        } catch {
            return true
        }
    }

    /// The FNV-1a hash of an identity, but never 0.
    public static func digest(_ identity: FixedBuffer<512>) -> UInt32 {
        var digest: UInt32 = 0x811c_9dc5
        let bytes = identity.span
        for index in bytes.indices { digest = (digest ^ UInt32(bytes[index])) &* 0x0100_0193 }
        return max(digest, 1)
    }
}
