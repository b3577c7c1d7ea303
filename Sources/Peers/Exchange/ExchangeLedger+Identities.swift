import EncounterLog
import FixedMemory
import HCI

/// Finding peers by the identity that they gave.
extension ExchangeLedger {
    /// The peer heard last among those from which this identity was read; if there is none, among those that
    /// wrote it.
    public func newestPeer(
        identifiedAs identity: FixedBuffer<512>, in peers: borrowing PeerTable
    ) -> Int? {
        let digest = IdentityDigest.of(identity)
        var writer: Int?
        var next = peers.newest(.confirmed)
        while let slot = next {
            if exchanges[slot].identityDigest == digest, identities[slot] == identity {
                if exchanges[slot].progress == .done { return slot }
                writer = writer ?? slot
            }
            next = peers.older(than: slot)
        }
        return writer
    }

    /// The peer with a pseudo address that has given its identity, and was heard last, or read, under this
    /// address. If the sender's own pseudo address is `known`, another peer must have been heard there for a
    /// while. It looks only at peers that have given theirs or stayed, so a flood costs nothing.
    ///
    /// - Parameter isShared: set if another peer was heard there, whether for a while or not.
    @inline(never)
    func identifiedPeer(
        lastHeardUnder address: DeviceAddress, besides known: Int?, isShared: inout Bool,
        in peers: borrowing PeerTable
    ) -> Int? {
        var next = peers.newest(.confirmed)
        while let slot = next {
            if slot != known, exchanges[slot].hasIdentity, peers.slots[slot].key.isPseudoAddress,
                peers.aliases[slot].askedAddress == address || peers.aliases[slot].address == address
            {
                isShared = true
                if known == nil || peers.aliases[slot].isSettled
                    || peers.aliases[slot].askedAddress == address
                {
                    return slot
                }
            }
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
        where exchanges[slot].identityDigest == identityDigest && exchanges[slot].hasIdentity {
            return peers.slots[slot].key
        }
        return nil
    }

    /// Finds the same device under an earlier address: a peer with this identity, last heard before this one
    /// was first heard, within the encounter timeout. Peers heard at the same time are different devices. A
    /// peer that returns under a key of ``markFormer(_:)`` counts as a different device, too.
    func predecessor(of slot: Int, in peers: borrowing PeerTable, encounterTimeout: Interval) -> Int? {
        let track = peers.slots[slot].track
        guard track.isOpen, !track.isClaimed, !formerKeys.contains(peers.slots[slot].key),
            IdentityDigest.namesDevice(identities[slot])
        else { return nil }
        let digest = exchanges[slot].identityDigest
        for other in 0..<peers.firstUnused
        where exchanges[other].identityDigest == digest && other != slot {
            guard exchanges[other].progress == .done, peers.slots[other].track.isWritten,
                !peers.slots[other].track.isClaimed,
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
