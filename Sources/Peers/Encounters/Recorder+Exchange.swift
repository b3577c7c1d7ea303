import FixedMemory
import HCI

/// How reading a peer's identity goes on.
extension Recorder {
    /// Whether a peer's identity is still to be read.
    public func needsIdentity(of address: DeviceAddress) -> Bool {
        guard let slot = peers.find(address) else { return false }
        return peers.slots[slot].interest != .ignored && peers.slots[slot].exchange.progress != .done
    }

    /// Whether it is time to ask a peer that we have a link with who it is, and nobody is asking it now: what was begun
    /// before that link came has ended.
    public func isQuestionDue(to address: DeviceAddress, nowMilliseconds now: UInt64) -> Bool {
        guard let slot = peers.find(address), peers.slots[slot].interest != .ignored else { return false }
        let exchange = peers.slots[slot].exchange
        return exchange.progress == .done
            ? needsSchemes(slot, nowMilliseconds: now) : now >= exchange.nextAttemptMilliseconds
    }

    /// Whether only a connection can tell if the peer is one of ours.
    public func isCandidate(_ address: DeviceAddress) -> Bool {
        guard let slot = peers.find(address) else { return false }
        return peers.slots[slot].interest == .candidate
    }

    /// Whether an attempt at its identity has come to nothing.
    public func hasFailed(_ address: DeviceAddress) -> Bool {
        peers.find(address).map { peers.slots[$0].exchange.failures > 0 } ?? false
    }

    /// The latest reading of a peer.
    public func rssi(of address: DeviceAddress) -> RSSI? {
        peers.find(address).flatMap { peers.slots[$0].rssi }
    }

    /// An identity is being asked for.
    public mutating func exchangeStarted(with address: DeviceAddress) {
        guard let slot = peers.find(address), peers.slots[slot].exchange.progress != .done else { return }
        peers.slots[slot].exchange.progress = .running
        if peers.slots[slot].key.isPseudoAddress { peers.aliases[slot].askedAddress = address }
    }

    /// It could not be had this time.
    public mutating func exchangeFailed(
        with address: DeviceAddress, nowMilliseconds now: UInt64, jitter: UInt64
    ) {
        guard let slot = peers.find(address) else { return }
        guard peers.slots[slot].exchange.progress != .done else {
            return schemeSearchFailed(slot, nowMilliseconds: now, jitter: jitter)
        }
        peers.slots[slot].exchange.fail(nowMilliseconds: now, jitter: jitter)
    }

    /// The peer has nothing of ours. A candidate is let go and nothing of it kept.
    public mutating func exchangeFoundStranger(
        _ address: DeviceAddress, nowMilliseconds now: UInt64, jitter: UInt64
    ) {
        guard let slot = peers.find(address) else { return }
        peers.slots[slot].exchange.fail(nowMilliseconds: now, jitter: jitter, isUnsupported: true)
        if peers.slots[slot].interest == .candidate {
            forgetTrack(of: slot)
            peers.dropInterest(in: slot)
        }
    }
}
