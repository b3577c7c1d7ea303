import EncounterLog
import FixedMemory
import HCI
import TestSupport
import Testing

@testable import Peers

/// Raw mode: `encounters.raw`.
@Suite struct RawReadingsTests {
    private func rawListener(_ change: (inout RecorderSettings) -> Void = { _ in }) throws -> Listener {
        try Listener {
            $0.recordsReadings = true
            $0.entryCapacity = 1_024
            change(&$0)
        }
    }

    private func list(_ entries: [LogEntry]) -> [UInt32: [(Instant, Int8)]] {
        var lists: [UInt32: [(Instant, Int8)]] = [:]
        for entry in entries.compactMap(\.readings) {
            entry.readings.forEach { lists[entry.encounter, default: []].append(($0, $1)) }
        }
        return lists
    }

    @Test(arguments: [1 as UInt64, 2, 3])
    func `HP-C27: in raw mode each reading is written with its time, and counted once`(seed: UInt64) throws {
        print("seed \(seed)")
        var generator = SeededGenerator(seed: seed)
        var listener = try rawListener()
        var heard: [UInt32: [(Instant, Int8)]] = [:]
        var entries: [LogEntry] = []
        for _ in 0..<2_000 {
            let peer = UInt64.random(in: 1...3, using: &generator)
            let dBm = Int8.random(in: -100 ... -30, using: &generator)
            listener.hear(.peer(peer), dBm, power: [8, 9, nil].randomElement(using: &generator) ?? nil)
            let found = listener.recorder.peers.find(.peer(peer))
            let slot = try #require(found)
            heard[listener.recorder.peers.slots[slot].track.encounter, default: []].append(
                (listener.now, dBm))
            listener.wait(milliseconds: .random(in: 0...400, using: &generator))
            entries += listener.takeEntries()
        }
        listener.wait(milliseconds: 40_000)
        entries += listener.takeEntries()
        let written = list(entries)
        #expect(written.keys.sorted() == heard.keys.sorted())
        for (encounter, readings) in heard {
            #expect(written[encounter].map { $0.elementsEqual(readings, by: ==) } == true)
        }
        #expect(entries.compactMap(\.sample).reduce(0) { $0 + Int($1.readings) } == 2_000)
        #expect(entries.compactMap(\.closed).reduce(0) { $0 + Int($1.readings) } == 2_000)
        #expect(listener.recorder.counters.dropped == 0)
    }

    @Test func `HP-C27: a candidate's raw readings are written once it is confirmed, else not at all`() throws
    {
        var listener = try rawListener()
        for number in 1...2 as ClosedRange<UInt64> {
            for _ in 0..<20 {
                listener.hear(.peer(number), -70, .candidate)
                listener.wait(milliseconds: 250)
            }
        }
        #expect(listener.takeEntries().isEmpty)
        try listener.identify(.peer(1), as: [0x30, 1])
        listener.recorder.markUnsupported(.peer(2), now: listener.now, jitter: 0)
        listener.wait(milliseconds: 40_000)
        let written = list(listener.takeEntries())
        #expect(written.mapValues(\.count) == [1: 20])
    }

    @Test func `HP-C27: a candidate's raw readings of a quarter of an hour wait, in their order`() throws {
        var listener = try rawListener()
        for number in 0..<3_600 {
            listener.hear(.peer(1), Int8(-30 - number % 60), .candidate)
            listener.wait(milliseconds: 250)
        }
        try listener.identify(.peer(1), as: [0x30, 1])
        let flushed = listener.recorder.flush()
        #expect(flushed)
        let entries = listener.takeEntries()
        let readings = try #require(list(entries)[1])
        #expect(readings.map(\.0) == (0..<3_600).map { 1_000_000 + UInt64($0) * 250 })
        #expect(readings.map(\.1) == (0..<3_600).map { Int8(-30 - $0 % 60) })
        #expect(entries.compactMap(\.sample).reduce(0) { $0 + Int($1.readings) } == 3_600)
        #expect(listener.recorder.counters.dropped == 0)
    }

    @Test func `HP-C27: where many candidates wait, samples count the readings that find no place`() throws {
        var listener = try rawListener { $0.waitingReadingsCapacity = 8 }
        for _ in 0..<1_000 {
            for number in 1...4 as ClosedRange<UInt64> { listener.hear(.peer(number), -70, .candidate) }
            listener.wait(milliseconds: 250)
        }
        for number in 1...4 as ClosedRange<UInt64> {
            try listener.identify(.peer(number), as: [0x30, UInt8(number)])
        }
        _ = listener.recorder.flush()
        let entries = listener.takeEntries()
        // Two packs waited, and a third was being filled.
        #expect(list(entries).mapValues(\.count).values.sorted() == [159, 159, 159, 159])
        #expect(entries.compactMap(\.sample).reduce(0) { $0 + Int($1.readings) } == 4_000)
        #expect(listener.recorder.counters.dropped == 0)
    }

    @Test func `HP-C27: raw readings continue when an encounter continues under another address`() throws {
        var listener = try rawListener()
        for (number, interest) in [(1, .participant), (2, .candidate)] as [(UInt64, PeerInterest)] {
            for _ in 0..<10 {
                listener.hear(.peer(number), -70, interest)
                listener.wait(milliseconds: 250)
            }
            try listener.identify(.peer(number), as: [0x30, 9])
        }
        listener.wait(milliseconds: 40_000)
        #expect(list(listener.takeEntries()).mapValues(\.count) == [1: 20])
    }

    @Test func `a log that accepts nothing costs readings, and they are counted`() throws {
        var listener = try rawListener {
            $0.entryCapacity = 8
            $0.readingsCapacity = 2
        }
        for _ in 0..<2_000 {
            listener.hear(.peer(1))
            listener.wait(milliseconds: 250)
        }
        #expect(listener.recorder.counters.dropped > 0)
        #expect(listener.takeEntries().compactMap(\.readings).count == 2)
    }

    @Test func `without raw mode there are only samples`() throws {
        var listener = try Listener()
        for _ in 0..<100 {
            listener.hear(.peer(1))
            listener.wait(milliseconds: 250)
        }
        listener.wait(milliseconds: 40_000)
        #expect(listener.takeEntries().compactMap(\.readings).isEmpty)
    }

    @Test func `an advert four times a second takes three bytes`() {
        var readings = PackedReadings()
        var count = 0
        while readings.append(rssiDBm: -60, at: 1_000_000 + UInt64(count) * 250) { count += 1 }
        #expect(count == 53, "160 bytes, the first of two bytes")
    }
}
