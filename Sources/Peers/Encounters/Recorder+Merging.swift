import FixedMemory
import HCI

/// One device under several addresses. The rules, and the reasons for them: docs/peers.md.
extension Recorder {
    /// The number of returns to the previous address after which one pseudo address stands for two devices:
    /// no device returns by itself.
    private static var returnsOfOneDevice: UInt8 { 4 }

    /// Finds or adds the peer with this pseudo address; nil if the table is full. Under another address it
    /// is, as a rule, the same device after an address change. But some phones derive their pseudo address
    /// from the time, so two may share one. Such a pseudo address identifies no device, and each of the
    /// devices is known by its address.
    mutating func settle(_ key: PeerKey, at address: DeviceAddress, now: Instant) -> Int? {
        guard let slot = peers.find(key) else { return introduce(key, at: address, now: now) }
        peers.touch(slot, now: now)
        if peers.aliases[slot].address == address { return slot }
        peers.moveCount &+= 1
        guard peers.aliases[slot].returns < Self.returnsOfOneDevice else {
            guard let known = peers.find(PeerKey(address)) else {
                return add(PeerKey(address), at: address, isFollowed: true, now: now)
            }
            peers.touch(known, now: now)
            return known
        }
        if address == peers.aliases[slot].previousAddress { peers.aliases[slot].returns += 1 }
        peers.aliases[slot].previousAddress = peers.aliases[slot].address
        peers.aliases[slot].address = address
        // From now on the pseudo address stands for the device whose identity was read.
        if peers.aliases[slot].returns == Self.returnsOfOneDevice,
            let asked = peers.aliases[slot].askedAddress,
            exchanges[slot].progress != .needed
        {
            peers.aliases[slot].address = asked
        }
        return slot
    }

    /// Handles a pseudo address heard for the first time. A peer that was known by this address alone gets
    /// the pseudo address as its new key, and keeps everything else.
    private mutating func introduce(_ key: PeerKey, at address: DeviceAddress, now: Instant) -> Int? {
        guard let known = peers.find(PeerKey(address)) else {
            return add(key, at: address, isFollowed: true, now: now)
        }
        writeBacks.rename(known, from: peers.slots[known].key, to: key)
        peers.rename(known, to: key, isBeingRead: exchanges[known].progress == .running)
        peers.touch(known, now: now)
        if peers.slots[known].track.isWritten {
            encounters.writePseudoAddress(of: known, in: &peers, now: now)
        }
        return known
    }

    /// Continues the earlier address' encounter under the new one.
    mutating func merge(_ earlier: Int, into slot: Int, now: Instant) {
        encounters.merge(earlier, into: slot, in: &peers)
        writeBacks.merge(earlier, into: slot, in: peers)
        exchanges.markFormer(peers.slots[earlier].key)
        remove(earlier)
        peers.raiseInterest(of: slot, to: .participant)
        peers.confirm(slot)
        ownCounters.merged &+= 1
        encounters.writeAddress(of: slot, in: &peers, now: now)
        encounters.writePseudoAddress(of: slot, in: &peers, now: now)
    }
}
