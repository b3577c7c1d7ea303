import DeviceSync
import FixedMemory
import HCI
import Peers

/// Immediate messages: to whom they go, and over what.
extension RadioController {
    /// A peer that was heard this lately is there.
    private static var presenceMilliseconds: UInt64 { 60_000 }

    /// Queues a message, and begins to send it over links that are open. A repeated request is answered as before.
    package mutating func send(
        _ request: MessageRequest, recorder: inout Recorder, nowMilliseconds now: UInt64
    ) -> Result<MessageReport, MessageError> {
        if let report = messages.report(number: request.number) { return .success(report) }
        do throws(MessageError) {
            let first = try firstRecipient(of: request, recorder: recorder, nowMilliseconds: now)
            guard let first else {
                return .success(MessageReport(number: request.number, queuedCount: 0, leftOutCount: 0))
            }
            try messages.begin(request, nowMilliseconds: now)
            if request.recipients == .all {
                addAll(.confirmed, to: request.number, recorder: recorder, nowMilliseconds: now)
                addAll(.tentative, to: request.number, recorder: recorder, nowMilliseconds: now)
            } else {
                add(first, to: request.number, recorder: recorder)
            }
        } catch {
            return .failure(error)
        }
        for index in links.indices { startNextProcedure(index, recorder: &recorder, nowMilliseconds: now) }
        // No pause holds it up. Should the attempt fail, scanning gets its share before the next.
        nextAttemptMilliseconds = 0
        nextChoiceMilliseconds = 0
        // Without a radio it would be at once for ever.
        hasImmediateWork = state == .running
        return messages.report(number: request.number).map { .success($0) } ?? .failure(.unknownMessage)
    }

    /// The slot of the one it goes to, or of one of all; nil when there is nobody.
    private func firstRecipient(
        of request: MessageRequest, recorder: borrowing Recorder, nowMilliseconds now: UInt64
    ) throws(MessageError) -> Int? {
        let slot: Int?
        switch request.recipients {
        case .all:
            return nextRecipient(after: nil, .confirmed, recorder: recorder, nowMilliseconds: now)
                ?? nextRecipient(after: nil, .tentative, recorder: recorder, nowMilliseconds: now)
        case .address(let address, let type):
            slot = recorder.peers.find(
                DeviceAddress(littleEndian: address.span.loadUInt48(at: 0), addressType: type))
        case .identity(let identity): slot = recorder.newestPeer(identifiedAs: identity)
        }
        guard let slot, isThere(slot, recorder: recorder, nowMilliseconds: now) else { throw .nobodyThere }
        return slot
    }

    @inline(never)
    private mutating func addAll(
        _ standing: PeerStanding, to number: UInt32, recorder: borrowing Recorder, nowMilliseconds now: UInt64
    ) {
        var next = nextRecipient(after: nil, standing, recorder: recorder, nowMilliseconds: now)
        while let slot = next {
            add(slot, to: number, recorder: recorder)
            next = nextRecipient(after: slot, standing, recorder: recorder, nowMilliseconds: now)
        }
    }

    private mutating func add(_ slot: Int, to number: UInt32, recorder: borrowing Recorder) {
        messages.add(
            recorder.peers.slots[slot].key, identityDigest: recorder.identityDigest(of: slot), to: number)
    }

    /// The next one heard before `slot`, or the one heard last, that takes part and is there.
    private func nextRecipient(
        after slot: Int?, _ standing: PeerStanding, recorder: borrowing Recorder,
        nowMilliseconds now: UInt64
    ) -> Int? {
        var next = recorder.peers.newest(standing)
        if let slot { next = recorder.peers.older(than: slot) }
        while let candidate = next, isThere(candidate, recorder: recorder, nowMilliseconds: now) {
            if recorder.takesMessages(candidate) { return candidate }
            next = recorder.peers.older(than: candidate)
        }
        return nil
    }

    private func isThere(_ slot: Int, recorder: borrowing Recorder, nowMilliseconds now: UInt64) -> Bool {
        recorder.peers.slots[slot].lastSeenMilliseconds + Self.presenceMilliseconds >= now
            || links.isConnected(to: recorder.peers.address(of: slot))
    }

    /// The peer to connect to for the message that came first, of those that have no link and can be connected to now:
    /// whatever pauses there are for reading it.
    func messageTarget(
        recorder: borrowing Recorder, nowMilliseconds now: UInt64
    ) -> (DeviceAddress, PeerKey)? {
        guard !messages.isEmpty else { return nil }
        var best: (address: DeviceAddress, key: PeerKey, deadline: UInt64)?
        for index in messages.indices {
            let delivery = messages[index]
            guard delivery.state == .waiting, now >= delivery.nextAttemptMilliseconds else { continue }
            let deadline = messages.deadline(of: index)
            if let best, best.deadline <= deadline { continue }
            guard let slot = recorder.peers.find(delivery.key),
                recorder.peers.slots[slot].isConnectable,
                now <= recorder.peers.slots[slot].lastSeenMilliseconds + policy.freshnessMilliseconds
            else { continue }
            let address = recorder.peers.address(of: slot)
            guard !links.isConnected(to: address) else { continue }
            best = (address, delivery.key, deadline)
        }
        return best.map { ($0.address, $0.key) }
    }

    /// Gives up what has taken too long, and follows peers that are known by another key now.
    mutating func keepMessages(recorder: borrowing Recorder, nowMilliseconds now: UInt64) {
        guard !messages.isEmpty, now >= nextMessageCheckMilliseconds else { return }
        nextMessageCheckMilliseconds = now + 1_000
        messages.expire(nowMilliseconds: now)
        for index in messages.indices where messages[index].state == .waiting {
            let delivery = messages[index]
            guard recorder.peers.find(delivery.key) == nil,
                let key = recorder.successor(of: delivery.key, identityDigest: delivery.identityDigest)
            else { continue }
            messages.rename(index, to: key)
        }
    }
}
