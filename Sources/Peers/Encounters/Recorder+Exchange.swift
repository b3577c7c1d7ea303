import FixedMemory
import HCI

/// The progress of reading a peer's identity.
extension Recorder {
    /// Whether the agent still has to read the peer's identity.
    public func needsIdentity(of address: DeviceAddress) -> Bool {
        guard let slot = peers.find(address) else { return false }
        return peers.slots[slot].interest != .ignored && peers.slots[slot].exchange.progress != .done
    }

    /// Whether the agent should read the identity of a peer over an existing link now. False while another
    /// read is running; a read that began before that link opened has ended by then.
    public func isQuestionDue(to address: DeviceAddress, nowMilliseconds now: UInt64) -> Bool {
        guard let slot = peers.find(address), peers.slots[slot].interest != .ignored else { return false }
        let exchange = peers.slots[slot].exchange
        return exchange.progress == .done
            ? needsSchemes(slot, nowMilliseconds: now) : now >= exchange.nextAttemptMilliseconds
    }

    /// Whether only a connection can show if the peer runs one of our protocols.
    public func isCandidate(_ address: DeviceAddress) -> Bool {
        guard let slot = peers.find(address) else { return false }
        return peers.slots[slot].interest == .candidate
    }

    /// Whether an attempt to read the peer's identity has failed.
    public func hasFailed(_ address: DeviceAddress) -> Bool {
        peers.find(address).map { peers.slots[$0].exchange.failures > 0 } ?? false
    }

    /// The peer's latest RSSI reading.
    public func rssi(of address: DeviceAddress) -> RSSI? {
        peers.find(address).flatMap { peers.slots[$0].rssi }
    }

    /// Records that the agent has begun to read an identity.
    public mutating func exchangeStarted(with address: DeviceAddress) {
        guard let slot = peers.find(address), peers.slots[slot].exchange.progress != .done else { return }
        peers.slots[slot].exchange.progress = .running
        if peers.slots[slot].key.isPseudoAddress { peers.aliases[slot].askedAddress = address }
    }

    /// Records that this attempt failed, and sets the back-off.
    public mutating func exchangeFailed(
        with address: DeviceAddress, nowMilliseconds now: UInt64, jitter: UInt64
    ) {
        guard let slot = peers.find(address) else { return }
        guard peers.slots[slot].exchange.progress != .done else {
            return schemeSearchFailed(slot, nowMilliseconds: now, jitter: jitter)
        }
        peers.slots[slot].exchange.fail(nowMilliseconds: now, jitter: jitter)
    }

    /// Records that the peer offers none of our services. The recorder ignores a candidate from then on, and
    /// keeps nothing of it.
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
