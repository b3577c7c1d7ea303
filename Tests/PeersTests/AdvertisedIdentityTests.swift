import EncounterLog
import FixedMemory
import HCI
import Peers
import TestSupport
import Testing

/// Peers whose adverts carry their identity in a scheme other than Herald.
@Suite struct AdvertisedIdentityTests {
    @Test
    func `An encounter has the scheme and the identity, and its samples have the RSSI of the adverts`()
        throws
    {
        var listener = try Listener.ofExposureNotification()
        try listener.hearAdvert(.peer(1), 0xa1, -60)
        listener.now += 2_000
        try listener.hearAdvert(.peer(1), 0xa1, -70)
        listener.wait(milliseconds: 40_000)
        let entries = listener.takeEntries()
        #expect(entries.map(\.name) == ["opened", "identified", "sample", "closed"])
        #expect(entries.first?.opened?.foundBy == .exposureNotification)
        let identified = try #require(entries.compactMap(\.identified).first)
        #expect(identified.scheme.id == .exposureNotification)
        #expect(identified.identity == (try identity([UInt8](repeating: 0xa1, count: 20))))
        let sample = try #require(entries.compactMap(\.sample).first)
        #expect(sample.minimumRSSIDBm == -70)
        #expect(sample.maximumRSSIDBm == -60)
    }

    @Test func `A repeated advert adds no identified entry`() throws {
        var listener = try Listener.ofExposureNotification()
        for _ in 0..<20 {
            try listener.hearAdvert(.peer(1), 0xa1, -60)
            listener.now += 250
        }
        #expect(listener.takeEntries().map(\.name) == ["opened", "identified"])
    }

    @Test func `A later encounter of the same address has the identity again`() throws {
        var listener = try Listener.ofExposureNotification()
        try listener.hearAdvert(.peer(1), 0xa1, -60)
        // The peer stays longer than a tentative one is remembered, so that it is not a new peer.
        listener.now += 11_000
        try listener.hearAdvert(.peer(1), 0xa1, -60)
        listener.wait(milliseconds: 60_000)
        _ = listener.takeEntries()
        try listener.hearAdvert(.peer(1), 0xa1, -60)
        #expect(listener.takeEntries().map(\.name) == ["opened", "identified"])
    }

    @Test func `Another identity under one address is accepted once a minute`() throws {
        var listener = try Listener.ofExposureNotification()
        for number in 0..<120 as Range<UInt8> {
            try listener.hearAdvert(.peer(1), number, -60)
            listener.now += 1_000
        }
        #expect(listener.takeEntries().compactMap(\.identified).count == 2)
        #expect(listener.recorder.counters.refusedIdentities == 118)
    }

    @Test func `A reused slot does not pass on its former peer's identity`() throws {
        var listener = try Listener.ofExposureNotification { $0.peerCapacity = 1 }
        try listener.hearAdvert(.peer(1), 0xa1, -60)
        listener.wait(milliseconds: 60_000)
        _ = listener.takeEntries()
        listener.hear(.peer(2))
        #expect(listener.takeEntries().map(\.name) == ["opened"])
    }

    @Test func `A peer whose adverts carry its identity is never read`() throws {
        var listener = try Listener.ofExposureNotification()
        for _ in 0..<4 { try listener.hearAdvert(.peer(1), 0xa1, -60, isConnectable: true) }
        let policy = LinkPolicy()
        #expect(
            policy.nextPeer(
                in: listener.recorder.peers, listener.recorder.exchanges, turn: .nearest,
                now: listener.now) == nil)
    }

    @Test func `A peer that turns out to speak Herald too is read`() throws {
        var listener = try Listener.ofExposureNotification()
        try listener.hearAdvert(.peer(1), 0xa1, -60)
        listener.hear(.peer(1), times: 2)
        let policy = LinkPolicy()
        #expect(
            policy.nextPeer(
                in: listener.recorder.peers, listener.recorder.exchanges, turn: .nearest,
                now: listener.now) == .peer(1))
    }

    @Test func `A peer of both schemes has both identities in one encounter`() throws {
        var listener = try Listener.ofExposureNotification()
        listener.hear(.peer(1))
        try listener.identify(.peer(1), as: [1, 2, 3])
        try listener.hearAdvert(.peer(1), 0xa1, -60)
        let identified = listener.takeEntries().compactMap(\.identified)
        #expect(identified.map(\.scheme) == [SchemeCode(.herald), SchemeCode(.exposureNotification)])
        #expect(identified.map(\.encounter) == [1, 1])
    }
}

extension Listener {
    fileprivate static func ofExposureNotification(
        _ change: (inout RecorderSettings) -> Void = { _ in }
    ) throws -> Listener {
        try Listener {
            $0.heardHints.insert(.exposureNotification)
            change(&$0)
        }
    }

    /// Receives an advert whose identity is this byte 20 times.
    fileprivate mutating func hearAdvert(
        _ peer: DeviceAddress, _ byte: UInt8, _ dBm: Int8, isConnectable: Bool = false
    ) throws {
        let bytes = [UInt8](repeating: byte, count: 20)
        let made = AdvertisedIdentity(.exposureNotification, bytes.span)
        let identity = try #require(made)
        let sighting = Sighting(
            address: peer, rssi: RSSI(dBm: dBm), transmitPower: nil, interest: .ignored,
            foundBy: .heraldService, isConnectable: isConnectable)
        // The recorder first gets every report as Herald sees it.
        recorder.record(sighting, now: now)
        recorder.record(sighting.found(by: .exposureNotification), naming: identity, now: now)
    }
}
