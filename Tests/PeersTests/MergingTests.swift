import EncounterLog
import FixedMemory
import HCI
import Peers
import Testing

/// One device under several addresses, recognised by its payload.
@Suite struct MergingTests {
    private let alice: [UInt8] = [0x10, 0x3a, 0x03, 0, 0] + [UInt8](repeating: 0xa1, count: 16)
    /// The payload of a Herald phone whose key schedule has run out.
    private let nobody: [UInt8] = [0x10, 0x3a, 0x03, 0, 0] + [UInt8](repeating: 0, count: 16)

    private func stay(
        _ listener: inout Listener, at address: UInt64, _ interest: PeerInterest = .participant, seconds: Int
    ) {
        for _ in 0..<seconds {
            listener.hear(.peer(address), -60, interest)
            listener.wait(milliseconds: 1_000)
        }
    }

    @Test func `HP-C32, HP-D06: one encounter continues when the address changes and the payload stays`()
        throws
    {
        var listener = try Listener { $0.entryCapacity = 256 }
        stay(&listener, at: 1, seconds: 5)
        try listener.identify(.peer(1), as: alice)
        stay(&listener, at: 1, seconds: 15)
        // The log has nothing of a candidate before it is confirmed, so no separate encounter remains.
        stay(&listener, at: 2, .candidate, seconds: 5)
        try listener.identify(.peer(2), as: alice)
        stay(&listener, at: 2, .candidate, seconds: 15)
        listener.wait(milliseconds: 31_000)
        let entries = listener.takeEntries()
        #expect(entries.compactMap(\.opened).map(\.encounter) == [1])
        #expect(entries.compactMap(\.closed).map(\.readings) == [40])
        #expect(entries.compactMap(\.closed).map(\.instant) == [1_039_000])
        #expect(entries.compactMap(\.sample).reduce(0) { $0 + Int($1.readings) } == 40)
        let details = entries.compactMap(\.details)
        #expect(details.map(\.detail) == [.otherAddress])
        #expect(details.map(\.encounter) == [1])
        let address = DeviceAddress.peer(2)
        #expect(
            details.map { detail in (0..<detail.value.count).map { detail.value[$0] } }
                == [(0..<6).map { address.bytes[$0] } + [1]])
        #expect(listener.recorder.counters.merged == 1)
        #expect(listener.recorder.peers.count == 1)
    }

    @Test func `HP-C21, X8: two alternating devices of one payload are merged once, and seldom read`() throws
    {
        var listener = try Listener { $0.entryCapacity = 1_024 }
        var reads = 0
        for round in 0..<20 {
            let address = UInt64(1 + round % 2)
            stay(&listener, at: address, seconds: 5)
            guard listener.recorder.exchanges.needsIdentity(of: .peer(address), in: listener.recorder.peers)
            else { continue }
            reads += 1
            try listener.identify(.peer(address), as: alice)
        }
        #expect(listener.recorder.counters.merged == 1)
        #expect(reads == 3)
        #expect(listener.recorder.peers.count == 2)
    }

    @Test func `HP-C32, HP-C27: entries from before the new address was read stay, and count once`() throws {
        var listener = try Listener { $0.entryCapacity = 256 }
        stay(&listener, at: 1, seconds: 20)
        try listener.identify(.peer(1), as: alice)
        stay(&listener, at: 2, seconds: 10)
        try listener.identify(.peer(2), as: alice)
        stay(&listener, at: 2, seconds: 10)
        listener.wait(milliseconds: 31_000)
        let entries = listener.takeEntries()
        #expect(entries.compactMap(\.opened).map(\.encounter) == [1, 2])
        // Both encounters have the identity, so readers of the log join them.
        #expect(entries.compactMap(\.identified).map(\.encounter) == [1, 2])
        #expect(entries.compactMap(\.closed).map(\.encounter) == [2, 1])
        #expect(entries.compactMap(\.closed).reduce(0) { $0 + Int($1.readings) } == 40)
        #expect(entries.compactMap(\.sample).reduce(0) { $0 + Int($1.readings) } == 40)
        #expect(listener.recorder.openEncounterCount == 0)
    }

    @Test func `HP-C32: a late read under the new address does not end the continuing encounter`() throws {
        var listener = try Listener { $0.entryCapacity = 256 }
        stay(&listener, at: 1, seconds: 5)
        try listener.identify(.peer(1), as: alice)
        stay(&listener, at: 2, seconds: 28)
        try listener.identify(.peer(2), as: alice)
        stay(&listener, at: 2, seconds: 20)
        #expect(listener.takeEntries().compactMap(\.closed).map(\.encounter) == [2])
    }

    @Test func `HP-D01: two peers heard at once are two devices, even with one payload`() throws {
        var listener = try Listener { $0.entryCapacity = 256 }
        stay(&listener, at: 1, seconds: 5)
        try listener.identify(.peer(1), as: alice)
        for _ in 0..<10 {
            listener.hear(.peer(1))
            listener.hear(.peer(2))
            listener.wait(milliseconds: 1_000)
        }
        try listener.identify(.peer(2), as: alice)
        #expect(listener.recorder.counters.merged == 0)
        #expect(listener.recorder.peers.count == 2)
        // Neither of them is read again.
        listener.hear(.peer(1))
        listener.hear(.peer(2))
        let next = LinkPolicy().nextPeer(
            in: listener.recorder.peers, listener.recorder.exchanges, turn: .nearest, now: listener.now)
        #expect(next == nil)
    }

    @Test func `HP-C33: after the encounter timeout the same payload is another encounter`() throws {
        var listener = try Listener { $0.entryCapacity = 256 }
        stay(&listener, at: 1, seconds: 5)
        try listener.identify(.peer(1), as: alice)
        listener.wait(milliseconds: 30_000)
        stay(&listener, at: 2, seconds: 5)
        try listener.identify(.peer(2), as: alice)
        #expect(listener.recorder.counters.merged == 0)
        #expect(listener.takeEntries().compactMap(\.opened).map(\.encounter) == [1, 2])
    }

    @Test func `T4: an identity of zeros names no device and joins no encounters`() throws {
        var listener = try Listener { $0.entryCapacity = 256 }
        stay(&listener, at: 1, seconds: 5)
        try listener.identify(.peer(1), as: nobody)
        stay(&listener, at: 2, .candidate, seconds: 5)
        try listener.identify(.peer(2), as: nobody)
        #expect(listener.recorder.counters.merged == 0)
        #expect(listener.takeEntries().compactMap(\.opened).map(\.encounter) == [1, 2])
    }

    @Test func `HP-D06: a phone with a new pseudo address is merged by payload, and the log has both`() throws
    {
        var listener = try Listener { $0.entryCapacity = 256 }
        listener.hear(.peer(1), pseudo: 1, times: 3)
        try listener.identify(.peer(1), as: alice)
        listener.wait(milliseconds: 1_000)
        listener.hear(.peer(2), pseudo: 2, times: 3)
        try listener.identify(.peer(2), as: alice)
        #expect(listener.recorder.counters.merged == 1)
        let details = listener.takeEntries().compactMap(\.details)
        #expect(
            details.filter { $0.encounter == 1 }.map(\.detail) == [
                .pseudoAddress, .otherAddress, .pseudoAddress,
            ])
    }
}
