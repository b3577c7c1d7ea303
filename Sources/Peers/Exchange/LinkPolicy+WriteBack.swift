import FixedMemory
import HCI

extension LinkPolicy {
    /// The identified peer whose due write has waited longest.
    public func nextWriteBack(
        in peers: borrowing PeerTable, _ exchanges: borrowing ExchangeLedger,
        _ writeBacks: inout WriteBackLedger, _ rules: WriteBackRules, now: Instant,
        excluding isExcluded: (DeviceAddress) -> Bool = { _ in false }
    ) -> DeviceAddress? {
        guard rules.ownDigest != 0 else { return nil }
        var best: (address: DeviceAddress, since: Instant)?
        var next = peers.newest(.confirmed)
        var looks = 0
        while let slot = next, looks < Self.longestLook, isFresh(slot, in: peers, now) {
            looks += 1
            next = peers.older(than: slot)
            let address = peers.address(of: slot)
            guard peers.slots[slot].isConnectable,
                let due = writeBacks.due(to: slot, in: peers, exchanges, rules, now: now)
            else { continue }
            let since = writeBacks.state(of: slot, peers.slots[slot].key).dueInstant(due)
            if let best, best.since <= since { continue }
            guard !isExcluded(address),
                due != .sharing
                    || writeBacks.hasPayloads(toShareWith: address, from: peers, exchanges, now: now)
            else { continue }
            best = (address, since)
        }
        return best?.address
    }
}

extension PeerSignals {
    /// The time at which the write became due.
    fileprivate func dueInstant(_ what: WriteBack) -> Instant {
        switch what {
        case .payload: pausedUntil
        case .reading: max(pausedUntil, nextReading)
        case .sharing: max(pausedUntil, nextSharing)
        case .wake: max(pausedUntil, nextWake)
        }
    }
}
