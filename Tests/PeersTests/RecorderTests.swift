import EncounterLog
import FixedMemory
import HCI
import Peers
import Testing

@Suite struct RecorderTests {
    @Test func `HP-D01: an encounter opens at the first advert`() throws {
        var listener = try Listener()
        listener.hear(.peer(1), -60, foundBy: .legacyService)
        let entries = listener.takeEntries()
        #expect(entries.map(\.name) == ["opened"])
        let opened = try #require(entries.first?.opened)
        #expect(opened.encounter == 1)
        #expect(opened.instant == 1_000_000)
        #expect(opened.address == DeviceAddress.peer(1).bytes)
        #expect(opened.addressType == 1)
        #expect(opened.foundBy == .legacyService)
    }

    @Test func `a sample summarises its readings`() throws {
        var listener = try Listener()
        for (offset, dBm) in [(0, -60), (1_000, -70), (7_999, -65)] as [(Interval, Int8)] {
            listener.now = 1_000_000 + offset
            listener.hear(.peer(1), dBm, power: 8)
        }
        listener.now = 1_008_000
        listener.hear(.peer(1), -90)
        let samples = listener.takeEntries().compactMap(\.sample)
        #expect(
            samples == [
                SampleEntry(
                    encounter: 1, start: 1_000_000, end: 1_007_999, readings: 3,
                    minimumRSSIDBm: -70, maximumRSSIDBm: -60, meanRSSITenthsDBm: -650, txPowerDBm: 8)
            ])
    }

    @Test func `HP-C28: a change of TX power ends the sample, so that each sample has one power`() throws {
        var listener = try Listener()
        // Unknown, then -12 dBm, an advert without a power, then 8 dBm and back.
        for power in [nil, nil, -12, -12, nil, 8, 8, -12] as [Int8?] {
            listener.hear(.peer(1), -60, power: power)
            listener.now += 250
        }
        _ = listener.recorder.flush()
        let samples = listener.takeEntries().compactMap(\.sample)
        #expect(samples.map(\.readings) == [2, 3, 2, 1])
        #expect(samples.map(\.txPowerDBm) == [SampleEntry.unknownTxPowerDBm, -12, 8, -12])
        #expect(samples.map(\.start) == [1_000_000, 1_000_500, 1_001_250, 1_001_750])
    }

    @Test func `HP-C28: an unchanged TX power ends no sample`() throws {
        var listener = try Listener()
        for _ in 0..<20 {
            listener.hear(.peer(1), -60, power: 8)
            listener.now += 250
        }
        #expect(listener.takeEntries().map(\.name) == ["opened"])
    }

    @Test func `HP-C32: neither a link nor its failure begins, ends or prolongs an encounter`() throws {
        var listener = try Listener()
        listener.hear(.peer(1))
        listener.now += 5_000
        listener.recorder.exchanges.start(with: .peer(1), in: &listener.recorder.peers)
        listener.recorder.exchanges.fail(
            with: .peer(1), in: listener.recorder.peers, now: listener.now, jitter: 0)
        try listener.identify(.peer(1), as: [0x30, 1])
        listener.wait(milliseconds: 25_500)
        let entries = listener.takeEntries()
        #expect(entries.compactMap(\.opened).count == 1)
        #expect(entries.compactMap(\.closed).map(\.instant) == [1_000_000])
    }

    @Test func `HP-C32: after a failed link, and one to an unsupported peer, the encounter continues`() throws
    {
        var listener = try Listener()
        listener.hear(.peer(1))
        listener.now += 5_000
        listener.recorder.exchanges.start(with: .peer(1), in: &listener.recorder.peers)
        listener.recorder.exchanges.fail(
            with: .peer(1), in: listener.recorder.peers, now: listener.now, jitter: 0)
        listener.hear(.peer(1))
        listener.now += 5_000
        listener.recorder.exchanges.start(with: .peer(1), in: &listener.recorder.peers)
        listener.recorder.markUnsupported(.peer(1), now: listener.now, jitter: 0)
        listener.hear(.peer(1))
        listener.wait(milliseconds: 35_000)
        let entries = listener.takeEntries()
        #expect(entries.compactMap(\.opened).count == 1)
        #expect(entries.compactMap(\.closed).map(\.readings) == [3])
        #expect(entries.compactMap(\.closed).map(\.instant) == [1_010_000])
    }

    @Test func `HP-C41: a payload of an unknown format is an identity all the same`() throws {
        var listener = try Listener()
        for (peer, payload) in [
            (1, [0xf0, 58, 3, 0, 0, 1]), (2, [0xf0, 58, 3, 0, 0, 2]), (3, [0x18]),
        ] as [(UInt64, [UInt8])] {
            listener.hear(.peer(peer))
            try listener.identify(.peer(peer), as: payload)
        }
        let identities = listener.takeEntries().compactMap(\.identified).map(\.identity)
        let bytes = identities.map { identity in (0..<identity.count).map { identity[$0] } }
        #expect(bytes == [[0xf0, 58, 3, 0, 0, 1], [0xf0, 58, 3, 0, 0, 2], [0x18]])
        let isAskedAgain = listener.needsIdentity(of: .peer(1))
        #expect(!isAskedAgain)
    }

    @Test func `HP-O05: readings are smoothed to the mean of a sample, rounded to the nearest tenth`() throws
    {
        var listener = try Listener()
        for dBm in [-60, -60, -61] as [Int8] { listener.hear(.peer(1), dBm) }
        for dBm in [-60, -61, -61] as [Int8] { listener.hear(.peer(2), dBm) }
        _ = listener.recorder.flush()
        let means = listener.takeEntries().compactMap(\.sample?.meanRSSITenthsDBm).sorted()
        #expect(means == [-607, -603])
    }

    @Test func `a sample in a quiet encounter is written without waiting for the next reading`() throws {
        var listener = try Listener()
        listener.hear(.peer(1))
        listener.wait(milliseconds: 8_000)
        #expect(listener.takeEntries().map(\.name) == ["opened", "sample"])
    }

    @Test func `HP-C27: every reading is in exactly one sample`() throws {
        var listener = try Listener { $0.entryCapacity = 1_024 }
        for _ in 0..<1_000 {
            listener.hear(.peer(1))
            listener.now += 250
            listener.recorder.advance(now: listener.now)
        }
        listener.wait(milliseconds: 31_000)
        let entries = listener.takeEntries()
        #expect(entries.compactMap(\.sample).reduce(0) { $0 + Int($1.readings) } == 1_000)
        #expect(entries.compactMap(\.sample).allSatisfy { $0.end - $0.start < 8_000 })
        #expect(entries.last?.closed?.readings == 1_000)
    }

    @Test func `HP-D01, HP-C33, HP-O09: a silent encounter times out, and ends at its last reading`() throws {
        var listener = try Listener()
        listener.hear(.peer(1))
        listener.now += 5_000
        listener.hear(.peer(1))
        listener.wait(milliseconds: 30_000)
        #expect(listener.takeEntries().allSatisfy { $0.closed == nil })
        listener.wait(milliseconds: 500)
        let closed = listener.takeEntries().compactMap(\.closed)
        #expect(closed == [EncounterClosedEntry(encounter: 1, instant: 1_005_000, readings: 2)])
    }

    @Test func `HP-C33: an RSSI reading after the timeout begins a new encounter, even without a sweep`()
        throws
    {
        var listener = try Listener()
        listener.hear(.peer(1))
        listener.now += 30_001
        listener.hear(.peer(1))
        let entries = listener.takeEntries()
        #expect(entries.map(\.name) == ["opened", "sample", "closed", "opened"])
        #expect(entries.last?.opened?.encounter == 2)
    }

    @Test func `HP-D01: an advert without an RSSI reading neither opens nor prolongs an encounter`() throws {
        var listener = try Listener()
        listener.hear(.peer(1), nil)
        listener.hear(.peer(2), 127)
        #expect(listener.takeEntries().isEmpty)
        listener.hear(.peer(1))
        for _ in 0..<40 {
            listener.wait(milliseconds: 1_000)
            listener.hear(.peer(1), 127)
        }
        #expect(listener.takeEntries().last?.closed?.instant == 1_000_000)
    }

    @Test func `an ignored peer leaves no entries`() throws {
        var listener = try Listener()
        listener.hear(.peer(1), -50, .ignored)
        listener.wait(milliseconds: 40_000)
        #expect(listener.takeEntries().isEmpty)
        let counters = listener.recorder.counters
        #expect(counters.encounters == 0 && counters.reports == 1)
    }

    @Test func `an identity is written once per encounter`() throws {
        var listener = try Listener()
        listener.hear(.peer(1))
        try listener.identify(.peer(1), as: [1, 2, 3])
        try listener.identify(.peer(1), as: [1, 2, 3])
        let identified = listener.takeEntries().compactMap(\.identified)
        #expect(identified.count == 1)
        #expect(identified.first?.identity == (try identity([1, 2, 3])))
        #expect(identified.first?.encounter == 1)
        #expect(identified.first?.scheme.id == .herald)
    }

    @Test func `HP-C21: a returning peer is identified again without a read`() throws {
        var listener = try Listener()
        listener.hear(.peer(1))
        try listener.identify(.peer(1), as: [1, 2, 3])
        listener.wait(milliseconds: 60_000)
        _ = listener.takeEntries()
        listener.hear(.peer(1))
        let entries = listener.takeEntries()
        #expect(entries.map(\.name) == ["opened", "identified"])
        #expect(entries.last?.identified?.encounter == 2)
        #expect(entries.last?.identified?.identity == (try identity([1, 2, 3])))
    }

    @Test func `a peer that is unheard for long is forgotten with its identity`() throws {
        var listener = try Listener()
        listener.hear(.peer(1))
        try listener.identify(.peer(1), as: [1, 2, 3])
        listener.wait(milliseconds: 901_000)
        #expect(listener.recorder.peers.find(.peer(1)) == nil)
        _ = listener.takeEntries()
        listener.hear(.peer(1))
        #expect(listener.takeEntries().map(\.name) == ["opened"])
    }

    /// HP-C06: the phone first writes its identity, and later how strongly it hears us.
    @Test func `a phone that cannot advertise is identified by its writes`() throws {
        var listener = try Listener()
        try listener.write([7, 7], by: .peer(1))
        #expect(listener.takeEntries().isEmpty)
        listener.now += 15_000
        try listener.takeReading(-66, writtenBy: .peer(1))
        let entries = listener.takeEntries()
        #expect(entries.map(\.name) == ["opened", "details", "identified"])
        #expect(entries.first?.opened?.foundBy == .connectedToUs)
        #expect(entries.compactMap(\.identified).map(\.marks) == [.written])
        #expect(entries.compactMap(\.details).map(\.detail) == [.writtenRSSI])
        #expect(listener.recorder.counters.reports == 0)
    }

    @Test func `A reading on a link continues the encounter, and is neither a report nor hearing`() throws {
        var listener = try Listener()
        listener.hear(.peer(1))
        let heard = listener.now
        for _ in 0..<20 {
            listener.wait(milliseconds: 8_000)
            try listener.takeReading(-70, onLinkTo: .peer(1))
        }
        #expect(listener.recorder.counters.reports == 1)
        #expect(listener.lastHeard(.peer(1)) == heard)
        listener.wait(milliseconds: 40_000)
        let closed = try #require(listener.takeEntries().compactMap(\.closed).first)
        #expect(closed.readings == 21)
        #expect(closed.instant == heard + 160_000)
        listener.hear(.peer(1))
        #expect(listener.lastHeard(.peer(1)) == listener.now)
    }

    @Test func `A peer known by a link alone has an encounter, and was never heard`() throws {
        var listener = try Listener()
        try listener.identify(.peer(1), as: [7, 7])
        try listener.takeReading(-70, onLinkTo: .peer(1))
        try listener.takeReading(-70, onLinkTo: .peer(2))
        #expect(listener.takeEntries().map(\.name) == ["opened", "identified", "opened"])
        #expect(listener.lastHeard(.peer(1)) == 0)
        #expect(listener.lastHeard(.peer(2)) == 0)
    }

    @Test func `stopping writes the open samples of every encounter`() throws {
        var listener = try Listener()
        listener.hear(.peer(1))
        listener.hear(.peer(2))
        listener.hear(.peer(3), -50, .candidate)
        _ = listener.takeEntries()
        let isDone = listener.recorder.flush()
        #expect(isDone)
        #expect(listener.takeEntries().compactMap(\.sample?.encounter).sorted() == [1, 2])
        _ = listener.recorder.flush()
        #expect(listener.takeEntries().isEmpty)
    }
}
