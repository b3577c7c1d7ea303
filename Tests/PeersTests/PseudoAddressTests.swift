import EncounterLog
import FixedMemory
import HCI
import TestSupport
import Testing

@testable import Peers

@Suite struct PseudoAddressTests {
    private let name: UInt64 = 0x07c0_5a81_0b72

    /// It is read again because anybody can copy a pseudo address: a minute after its first move, and then
    /// after twice the time each.
    @Test func `HP-C14, HP-C15, HP-C21, HP-D06: a phone that often changes its address is one peer`() throws {
        var listener = try Listener { $0.entryCapacity = 1_024 }
        var asked = 0
        for turn in 0..<50 as Range<UInt64> {
            for _ in 0..<8 {
                listener.hear(.peer(turn), pseudo: name)
                listener.wait(milliseconds: 500)
            }
            let next = LinkPolicy().nextPeer(
                in: listener.recorder.peers, listener.recorder.exchanges, turn: .nearest, now: listener.now)
            if let next {
                #expect(next == .peer(turn), "the address it has now")
                asked += 1
                listener.recorder.exchanges.start(with: next, in: &listener.recorder.peers)
                try listener.identify(next, as: [0x30, 1, 2])
            }
        }
        #expect(asked == 3, "in 200 s, under 50 addresses")
        #expect(listener.recorder.peers.count == 1)
        listener.wait(milliseconds: 31_000)
        let entries = listener.takeEntries()
        #expect(entries.compactMap(\.opened).map(\.encounter) == [1])
        #expect(entries.compactMap(\.identified).count == 1)
        #expect(entries.compactMap(\.closed).map(\.readings) == [400])
        let details = entries.compactMap(\.details)
        #expect(details.map(\.detail) == [.pseudoAddress])
        #expect(details.first.map { bytes($0.value) } == [0x72, 0x0b, 0x81, 0x5a, 0xc0, 0x07])
    }

    @Test func `HP-C14: an identity counts even if the address changes while the agent reads the payload`()
        throws
    {
        var listener = try Listener()
        listener.hear(.peer(1), pseudo: name, times: 2)
        listener.recorder.exchanges.start(with: .peer(1), in: &listener.recorder.peers)
        for number in 2...5 as ClosedRange<UInt64> { listener.hear(.peer(number), pseudo: name) }
        try listener.identify(.peer(1), as: [0x30, 7])
        #expect(listener.recorder.peers.count == 1)
        #expect(listener.takeEntries().compactMap(\.identified).map(\.encounter) == [1])
        #expect(listener.needsIdentity(of: .peer(5)) == false)
    }

    @Test func `HP-C14: a peer whose pseudo address appears during the read is read again where it moved`()
        throws
    {
        var listener = try Listener()
        listener.hear(.peer(1), times: 2)
        listener.recorder.exchanges.start(with: .peer(1), in: &listener.recorder.peers)
        listener.hear(.peer(1), pseudo: name)
        for number in 2...4 as ClosedRange<UInt64> { listener.hear(.peer(number), pseudo: name) }
        try listener.identify(.peer(1), as: [0x30, 7])
        #expect(listener.recorder.peers.count == 2)
        try listener.identify(.peer(4), as: [0x30, 7])
        #expect(listener.recorder.peers.count == 1, "it is the same device")
    }

    @Test func `HP-C14: a peer that moves after a failed read is read under its new address`() throws {
        var listener = try Listener()
        listener.hear(.peer(1), times: 2)
        listener.recorder.exchanges.start(with: .peer(1), in: &listener.recorder.peers)
        listener.hear(.peer(1), pseudo: name)
        listener.hear(.peer(2), pseudo: name)
        listener.recorder.exchanges.fail(
            with: .peer(1), in: listener.recorder.peers, now: listener.now, jitter: 0)
        for _ in 0..<10 {
            listener.wait(milliseconds: 500)
            listener.hear(.peer(2), pseudo: name)
        }
        #expect(
            LinkPolicy().nextPeer(
                in: listener.recorder.peers, listener.recorder.exchanges, turn: .nearest, now: listener.now)
                == .peer(2))
    }

    @Test func `HP-C14: an advert with a pseudo address does not rename the peer known by its address`()
        throws
    {
        var listener = try Listener()
        listener.hear(.peer(1))
        try listener.identify(.peer(1), as: [0x30, 7])
        listener.hear(.peer(1), pseudo: name)
        #expect(listener.recorder.peers.count == 1, "the address counts")
        listener.hear(.peer(2), pseudo: name)
        #expect(listener.recorder.peers.count == 2)
        #expect(listener.needsIdentity(of: .peer(2)) == true)
        #expect(listener.takeEntries().map(\.name) == ["opened", "identified", "opened", "details"])
    }

    @Test func `HP-C14: a peer that has really moved is read again, and its encounter continues`() throws {
        var listener = try Listener()
        listener.hear(.peer(1))
        try listener.identify(.peer(1), as: [0x30, 7])
        listener.hear(.peer(1), pseudo: name)
        listener.now += 1_000
        listener.hear(.peer(2), pseudo: name)
        try listener.identify(.peer(2), as: [0x30, 7])
        #expect(listener.recorder.peers.count == 1)
        listener.wait(milliseconds: 31_000)
        #expect(listener.takeEntries().compactMap(\.closed).count == 2)
    }

    @Test func `HP-C14: a new pseudo address under the address of a read peer is that peer's`() throws {
        var listener = try Listener()
        listener.hear(.peer(1), pseudo: name)
        try listener.identify(.peer(1), as: [0x30, 1])
        listener.hear(.peer(1), pseudo: name + 1)
        #expect(listener.recorder.peers.count == 1)
        listener.hear(.peer(2), pseudo: name + 1)
        #expect(listener.recorder.peers.count == 2)
    }

    /// Both phones change their addresses every few seconds, so each is known by its pseudo address.
    @Test func `HP-C14: a phone's pseudo address moves nobody to the address where another is heard`() throws
    {
        var listener = try Listener()
        listener.hear(.peer(1), pseudo: name, times: 4)
        try listener.identify(.peer(1), as: [0x30, 1])
        listener.hear(.peer(2), pseudo: name + 1, times: 4)
        try listener.identify(.peer(2), as: [0x30, 2])
        listener.hear(.peer(3), pseudo: name, times: 4)
        listener.hear(.peer(3), pseudo: name + 1)
        #expect(listener.recorder.peers.moveCount == 1)
        listener.wait(milliseconds: 31_000)
        #expect(listener.takeEntries().compactMap(\.closed).map(\.readings) == [9, 4])
    }

    @Test func `HP-C14: a pseudo address copied to the address to which a phone moves does not keep it away`()
        throws
    {
        var listener = try Listener()
        listener.hear(.peer(1), pseudo: name, times: 4)
        try listener.identify(.peer(1), as: [0x30, 1])
        listener.hear(.peer(2), pseudo: name + 1, times: 4)
        try listener.identify(.peer(2), as: [0x30, 2])
        listener.hear(.peer(3), pseudo: name + 1)
        listener.hear(.peer(3), pseudo: name, times: 4)
        listener.hear(.peer(2), pseudo: name + 1)
        listener.wait(milliseconds: 31_000)
        #expect(listener.takeEntries().compactMap(\.closed).map(\.readings) == [8, 6])
    }

    /// The phone is heard there first, so the attacker's own pseudo address never counts as the address'.
    @Test func `HP-C14: an attacker cannot settle at a phone's address and send the phone away`() throws {
        let (phone, attacker) = (name, name + 1)
        var listener = try Listener()
        listener.hear(.peer(1), pseudo: phone, times: 4)
        try listener.identify(.peer(1), as: [0x30, 1])
        listener.hear(.peer(2), pseudo: attacker, times: 4)
        try listener.identify(.peer(2), as: [0x30, 2])
        listener.hear(.peer(3), pseudo: phone, times: 2)
        listener.hear(.peer(3), pseudo: attacker, times: 5)
        listener.hear(.peer(4), pseudo: phone)
        listener.hear(.peer(3), pseudo: phone, times: 4)
        listener.wait(milliseconds: 31_000)
        #expect(listener.takeEntries().compactMap(\.closed).map(\.readings) == [11, 9])
    }

    @Test func `HP-C14: a pseudo address heard under another read peer's address moves nobody`() throws {
        var listener = try Listener()
        listener.hear(.peer(1))
        try listener.identify(.peer(1), as: [0x30, 1])
        listener.hear(.peer(2), pseudo: name)
        try listener.identify(.peer(2), as: [0x30, 2])
        listener.hear(.peer(1), pseudo: name)
        let moved = listener.recorder.peers.find(.peer(2))
        let kept = listener.recorder.peers.find(.peer(1))
        #expect(moved == listener.recorder.peers.find(PeerKey(pseudoAddress: name)))
        #expect(kept == listener.recorder.peers.find(PeerKey(.peer(1))))
        listener.wait(milliseconds: 31_000)
        #expect(listener.takeEntries().compactMap(\.closed).map(\.readings) == [2, 1])
    }

    @Test func `HP-C14: a link shows only the address, and finds the peer heard under it`() throws {
        var listener = try Listener()
        listener.hear(.peer(1), pseudo: name)
        listener.hear(.peer(2), pseudo: name)
        #expect(listener.needsIdentity(of: .peer(2)) == true)
        #expect(listener.needsIdentity(of: .peer(1)) == false, "nobody is there any more")
    }

    @Test func `HP-C14: an RSSI measured on a link belongs to the peer heard at its address`() throws {
        var listener = try Listener()
        listener.hear(.peer(1), pseudo: name, times: 2)
        try listener.identify(.peer(1), as: [0x30, 7])
        try listener.takeReading(-91, onLinkTo: .peer(1))
        #expect(listener.recorder.peers.count == 1)
        listener.wait(milliseconds: 31_000)
        #expect(listener.takeEntries().compactMap(\.closed).map(\.readings) == [3])
    }

    @Test func `HP-C18: two phones that derived one pseudo address from the time are kept apart`() throws {
        var listener = try Listener { $0.entryCapacity = 1_024 }
        for _ in 0..<40 {
            listener.hear(.peer(1), -50, pseudo: name)
            listener.hear(.peer(2), -80, pseudo: name)
            listener.wait(milliseconds: 250)
        }
        #expect(listener.recorder.peers.count == 2)
        let addresses = [listener.recorder.peers.address(of: 0), listener.recorder.peers.address(of: 1)]
        #expect(Set(addresses) == [.peer(1), .peer(2)])
        // The agent reads each of them, and each gets its own identity.
        for number in 1...2 as ClosedRange<UInt64> {
            #expect(listener.needsIdentity(of: .peer(number)) == true)
            listener.recorder.exchanges.start(with: .peer(number), in: &listener.recorder.peers)
            try listener.identify(.peer(number), as: [0x30, UInt8(number)])
        }
        let identified = listener.takeEntries().compactMap(\.identified)
        #expect(Set(identified.map(\.encounter)).count == 2)
        for _ in 0..<40 {
            listener.hear(.peer(1), -50, pseudo: name)
            listener.hear(.peer(2), -80, pseudo: name)
            listener.wait(milliseconds: 250)
        }
        _ = listener.recorder.flush()
        let samples = listener.takeEntries().compactMap(\.sample).filter { $0.start > 1_015_000 }
        #expect(samples.allSatisfy { $0.minimumRSSIDBm == $0.maximumRSSIDBm }, "no sample is of both")
    }

    @Test(arguments: [1 as UInt64, 2, 3])
    func `HP-C14: among random pseudo addresses and addresses, peers are found as a dictionary finds them`(
        seed: UInt64
    ) throws {
        print("seed \(seed)")
        var generator = SeededGenerator(seed: seed)
        var listener = try Listener {
            $0.peerCapacity = 64
            $0.entryCapacity = 16
        }
        var places: [UInt64: DeviceAddress] = [:]
        for turn in 0..<5_000 as Range<UInt64> {
            let name = UInt64.random(in: 0..<24, using: &generator)
            let address = DeviceAddress.peer(turn)
            listener.hear(address, pseudo: name)
            places[name] = address
            _ = listener.takeEntries()
            if turn % 16 == 0 { listener.wait(milliseconds: 2_000) }
            let other = UInt64.random(in: 0..<24, using: &generator)
            guard let slot = listener.recorder.peers.find(PeerKey(pseudoAddress: other)) else { continue }
            #expect(listener.recorder.peers.address(of: slot) == places[other])
            #expect(places[other].flatMap { listener.recorder.peers.find($0) } == slot)
        }
    }

    private func bytes(_ value: FixedBuffer<64>) -> [UInt8] { (0..<value.count).map { value[$0] } }
}
