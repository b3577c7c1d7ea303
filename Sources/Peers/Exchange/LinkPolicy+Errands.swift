import FixedMemory
import HCI

extension LinkPolicy {
    /// The identified peer whose due write has waited longest.
    public func nextErrand(
        in recorder: inout Recorder, _ rules: WriteBackRules, nowMilliseconds now: UInt64,
        excluding isExcluded: (DeviceAddress) -> Bool = { _ in false }
    ) -> DeviceAddress? {
        guard rules.ownDigest != 0 else { return nil }
        var best: (address: DeviceAddress, sinceMilliseconds: UInt64)?
        var next = recorder.peers.newest(.confirmed)
        var looks = 0
        while let slot = next, looks < Self.longestLook, isFresh(slot, in: recorder, now) {
            looks += 1
            next = recorder.peers.older(than: slot)
            let address = recorder.peers.address(of: slot)
            guard recorder.peers.slots[slot].isConnectable,
                let due = recorder.writeBackDue(to: slot, rules, nowMilliseconds: now)
            else { continue }
            let since = recorder.peers.signals(of: slot).dueMilliseconds(due)
            if let best, best.sinceMilliseconds <= since { continue }
            guard !isExcluded(address),
                due != .sharing || recorder.hasPayloads(toShareWith: address, nowMilliseconds: now)
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
