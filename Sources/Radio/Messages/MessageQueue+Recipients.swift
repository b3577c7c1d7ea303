import DeviceSync
import EncounterLog
import FixedMemory
import HCI
import Peers

/// The recipients of immediate messages.
extension MessageQueue {
    /// A peer that was heard this recently is present.
    private static var presence: Interval { .minutes(1) }

    /// Queues a message for its recipients. A repeated request gets the same report as before.
    /// - Returns: false if a message to all has no recipient.
    /// - Throws: if the one recipient is not present, or the queue is full.
    mutating func add(
        _ request: MessageRequest, links: borrowing LinkTable, recorder: borrowing Recorder, now: Instant
    ) throws(MessageError) -> Bool {
        let first = try firstRecipient(of: request, links: links, recorder: recorder, now: now)
        guard let first else { return false }
        try begin(request, now: now)
        if request.recipients == .all {
            addAll(.confirmed, to: request.number, links: links, recorder: recorder, now: now)
            addAll(.tentative, to: request.number, links: links, recorder: recorder, now: now)
        } else {
            add(
                recorder.peers.slots[first].key, identityDigest: recorder.exchanges[first].identityDigest,
                to: request.number)
        }
        return true
    }

    /// The slot of the recipient, or of the first of all; nil when a message to all has none.
    private func firstRecipient(
        of request: MessageRequest, links: borrowing LinkTable, recorder: borrowing Recorder, now: Instant
    ) throws(MessageError) -> Int? {
        let slot: Int?
        switch request.recipients {
        case .all:
            return Self.next(after: nil, .confirmed, links: links, recorder: recorder, now: now)
                ?? Self.next(after: nil, .tentative, links: links, recorder: recorder, now: now)
        case .address(let address, let type):
            slot = recorder.peers.find(
                DeviceAddress(littleEndian: address.span.loadUInt48(at: 0), addressType: type))
        case .identity(let identity):
            slot = recorder.exchanges.newestPeer(identifiedAs: identity, in: recorder.peers)
        }
        guard let slot, Self.isPresent(slot, links: links, recorder: recorder, now: now) else {
            throw .nobodyThere
        }
        return slot
    }

    @inline(never)
    private mutating func addAll(
        _ standing: PeerStanding, to number: UInt32, links: borrowing LinkTable,
        recorder: borrowing Recorder, now: Instant
    ) {
        var next = Self.next(after: nil, standing, links: links, recorder: recorder, now: now)
        while let slot = next {
            add(
                recorder.peers.slots[slot].key, identityDigest: recorder.exchanges[slot].identityDigest,
                to: number)
            next = Self.next(after: slot, standing, links: links, recorder: recorder, now: now)
        }
    }

    /// The next peer heard before `slot`, or the one heard last, that takes messages and is present.
    @inline(never)
    private static func next(
        after slot: Int?, _ standing: PeerStanding, links: borrowing LinkTable,
        recorder: borrowing Recorder, now: Instant
    ) -> Int? {
        var next = recorder.peers.newest(standing)
        if let slot { next = recorder.peers.older(than: slot) }
        while let candidate = next,
            isPresent(candidate, links: links, recorder: recorder, now: now)
        {
            if recorder.writeBacks.takesMessages(candidate, in: recorder.peers) { return candidate }
            next = recorder.peers.older(than: candidate)
        }
        return nil
    }

    @inline(never)
    private static func isPresent(
        _ slot: Int, links: borrowing LinkTable, recorder: borrowing Recorder, now: Instant
    ) -> Bool {
        recorder.peers.slots[slot].lastSeen + presence >= now
            || links.isConnected(to: recorder.peers.address(of: slot))
    }

    /// The peer to connect to for the message that came first, of the peers that have no link and can be
    /// connected to now. Pauses before another reading do not count here.
    ///
    /// - Parameter untriedOnly: leaves out peers to which an attempt has failed.
    func nextTarget(
        links: borrowing LinkTable, recorder: borrowing Recorder, policy: LinkPolicy, untriedOnly: Bool,
        now: Instant
    ) -> (DeviceAddress, PeerKey)? {
        guard !isEmpty else { return nil }
        var best: (address: DeviceAddress, key: PeerKey, deadline: Instant)?
        for index in indices {
            let delivery = self[index]
            guard delivery.state == .waiting, now >= delivery.nextAttempt,
                !untriedOnly || delivery.attempts == 0
            else { continue }
            let deadline = deadline(of: index)
            if let best, best.deadline <= deadline { continue }
            guard let slot = recorder.peers.find(delivery.key), recorder.peers.slots[slot].isConnectable,
                now <= recorder.peers.slots[slot].lastSeen + policy.freshness
            else { continue }
            let address = recorder.peers.address(of: slot)
            guard !links.isConnected(to: address) else { continue }
            best = (address, delivery.key, deadline)
        }
        return best.map { ($0.address, $0.key) }
    }

    /// Gives up deliveries that have taken too long, and follows peers that have another key now. Runs once a
    /// second.
    mutating func keep(recorder: borrowing Recorder, now: Instant) {
        guard !isEmpty, now >= nextCheck else { return }
        nextCheck = now + .seconds(1)
        expire(now: now)
        for index in indices where self[index].state == .waiting {
            guard recorder.peers.find(self[index].key) == nil,
                let key = recorder.exchanges.successor(
                    of: self[index].key, identityDigest: self[index].identityDigest, in: recorder.peers)
            else { continue }
            rename(index, to: key)
        }
    }
}
