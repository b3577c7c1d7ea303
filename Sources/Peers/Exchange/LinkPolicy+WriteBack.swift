import FixedMemory
import HCI

extension LinkPolicy {
    /// The identified peer whose due write has waited longest.
    public func nextWriteBack(
        in peers: borrowing PeerTable, _ exchanges: borrowing ExchangeLedger,
        _ writeBacks: inout WriteBackLedger, _ rules: WriteBackRules, nowMilliseconds now: UInt64,
        excluding isExcluded: (DeviceAddress) -> Bool = { _ in false }
    ) -> DeviceAddress? {
        guard rules.ownDigest != 0 else { return nil }
        var best: (address: DeviceAddress, sinceMilliseconds: UInt64)?
        var next = peers.newest(.confirmed)
        var looks = 0
        while let slot = next, looks < Self.longestLook, isFresh(slot, in: peers, now) {
            looks += 1
            next = peers.older(than: slot)
            let address = peers.address(of: slot)
            guard peers.slots[slot].isConnectable,
                let due = writeBacks.due(to: slot, in: peers, exchanges, rules, nowMilliseconds: now)
            else { continue }
            let since = writeBacks.state(of: slot, peers.slots[slot].key).dueMilliseconds(due)
            if let best, best.sinceMilliseconds <= since { continue }
            guard !isExcluded(address),
                due != .sharing
                    || writeBacks.hasPayloads(
                        toShareWith: address, from: peers, exchanges, nowMilliseconds: now)
            else { continue }
            best = (address, since)
        }
        return best?.address
    }
}

extension PeerSignals {
    /// The time at which the write became due.
    fileprivate func dueMilliseconds(_ what: WriteBack) -> UInt64 {
        switch what {
        case .payload: pausedUntilMilliseconds
        case .reading: max(pausedUntilMilliseconds, nextReadingMilliseconds)
        case .sharing: max(pausedUntilMilliseconds, nextSharingMilliseconds)
        case .wake: max(pausedUntilMilliseconds, nextWakeMilliseconds)
        }
    }
}
