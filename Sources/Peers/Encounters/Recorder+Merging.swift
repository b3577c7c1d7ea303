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
    ///
    /// Anybody can send any pseudo address under any address, so an advert never renames a peer. If another
    /// peer is known by the address, that peer counts. So does a peer that has identified itself and was last
    /// heard under the address with another pseudo address. A device that has really moved is read again, and
    /// its encounter continues.
    mutating func settle(_ key: PeerKey, at address: DeviceAddress, now: Instant) -> Int? {
        let known = peers.find(key)
        if let known, peers.aliases[known].address == address {
            peers.touch(known, now: now)
            peers.aliases[known].wasHeardAgain()
            return known
        }
        var owner = peers.find(PeerKey(address))
        var isShared = false
        if owner == nil {
            owner = exchanges.identifiedPeer(
                lastHeardUnder: address, besides: known, isShared: &isShared, in: peers)
        }
        if let owner {
            peers.touch(owner, now: now)
            return owner
        }
        guard let slot = known else { return add(key, at: address, isFollowed: true, now: now) }
        peers.touch(slot, now: now)
        peers.moveCount &+= 1
        guard peers.aliases[slot].returns < Self.returnsOfOneDevice else {
            return add(PeerKey(address), at: address, isFollowed: true, now: now)
        }
        exchanges.move(slot, now: now)
        peers.aliases[slot].move(to: address, isShared: isShared)
        // From now on the pseudo address stands for the device whose identity was read.
        if peers.aliases[slot].returns == Self.returnsOfOneDevice,
            let asked = peers.aliases[slot].askedAddress,
            exchanges[slot].progress != .needed
        {
            peers.aliases[slot].address = asked
        }
        return slot
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
