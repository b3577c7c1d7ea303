import EncounterLog
import FixedMemory
import HCI
import Peers
import TestSupport
import Testing

/// The recorder's behaviour at its limits.
@Suite struct RecorderLimitsTests {
    @Test func `stopping with more encounters than the queue has room for loses none`() throws {
        var listener = try Listener {
            $0.peerCapacity = 100
            $0.entryCapacity = 16
        }
        var entries: [LogEntry] = []
        for number in 0..<100 as Range<UInt64> {
            listener.hear(.peer(number))
            entries += listener.takeEntries()
        }
        var rounds = 0
        while !listener.recorder.flush() {
            entries += listener.takeEntries()
            rounds += 1
        }
        entries += listener.takeEntries()
        #expect(entries.compactMap(\.sample).count == 100)
        #expect(rounds == 6)
        let dropped = listener.recorder.counters.dropped
        #expect(dropped == 0)
    }

    @Test func `while the log accepts nothing, samples grow longer and are not lost`() throws {
        var listener = try Listener { $0.entryCapacity = 2 }
        listener.hear(.peer(1))
        for _ in 0..<100 {
            listener.hear(.peer(1))
            listener.wait(milliseconds: 1_000)
        }
        #expect(listener.takeEntries().map(\.name) == ["opened", "sample"])
        _ = listener.recorder.flush()
        let rest = listener.takeEntries().compactMap(\.sample)
        #expect(rest.count == 1)
        #expect((rest.first?.readings ?? 0) > 80)
        let dropped = listener.recorder.counters.dropped
        #expect(dropped == 0)
    }

    @Test func `entries without room are counted`() throws {
        var listener = try Listener { $0.entryCapacity = 4 }
        for number in 0..<10 as Range<UInt64> {
            try listener.identify(.peer(number), as: [UInt8(number)])
            listener.hear(.peer(number))
        }
        let dropped = listener.recorder.counters.dropped
        #expect(dropped == 16, "of ten opened entries and ten identities")
        #expect(listener.takeEntries().count == 4)
    }

    @Test func `waiting entries outlive their peer`() throws {
        var listener = try Listener { $0.peerCapacity = 1 }
        listener.hear(.peer(1))
        try listener.identify(.peer(1), as: [0xaa])
        // The second peer evicts the first, whose entries still wait, and takes its slot.
        listener.now += 31_000
        listener.hear(.peer(2))
        let entries = listener.takeEntries()
        #expect(entries.map(\.name) == ["opened", "identified", "sample", "closed", "opened"])
        #expect(entries[0].opened?.address == DeviceAddress.peer(1).bytes)
        #expect(entries[1].identified?.identity == (try identity([0xaa])))
        #expect(entries[4].opened?.address == DeviceAddress.peer(2).bytes)
        let counters = listener.recorder.counters
        #expect(counters.evicted == 1 && counters.dropped == 0)
    }

    @Test func `no encounter ever gets the identity of a peer that took over the slot`() throws {
        var listener = try Listener { $0.peerCapacity = 1 }
        listener.hear(.peer(1))
        try listener.identify(.peer(1), as: [0xaa])
        listener.now += 31_000
        listener.hear(.peer(2))
        try listener.identify(.peer(2), as: [0xbb])
        let identified = listener.takeEntries().compactMap(\.identified)
        #expect(identified.map(\.encounter) == [2])
        #expect(identified.first?.identity == (try identity([0xbb])))
        let dropped = listener.recorder.counters.dropped
        #expect(dropped == 1)
    }

    @Test func `a peer that is forgotten with waiting entries leaves them complete`() throws {
        var listener = try Listener { $0.forget = 40_000 }
        listener.hear(.peer(1))
        try listener.identify(.peer(1), as: [0xaa])
        listener.wait(milliseconds: 60_000)
        listener.hear(.peer(2))
        let entries = listener.takeEntries()
        #expect(entries.map(\.name) == ["opened", "identified", "sample", "closed", "opened"])
        #expect(entries[0].opened?.address == DeviceAddress.peer(1).bytes)
        #expect(entries[1].identified?.identity == (try identity([0xaa])))
    }

    @Test func `encounter numbers count up from one`() throws {
        var listener = try Listener()
        for number in 0..<10 as Range<UInt64> { listener.hear(.peer(number)) }
        #expect(listener.takeEntries().compactMap(\.opened?.encounter) == Array(1...10))
    }

    @Test func `another identity is accepted once a minute`() throws {
        var listener = try Listener()
        var identified: [EncounterIdentifiedEntry] = []
        for byte in 1...3 as ClosedRange<UInt8> {
            for _ in 0..<60 {
                listener.hear(.peer(1))
                // The phone gives its identity again and again.
                try listener.identify(.peer(1), as: [byte])
                listener.wait(milliseconds: 1_000)
                identified += listener.takeEntries().compactMap(\.identified)
            }
        }
        #expect(try identified.map(\.identity) == [identity([1]), identity([2]), identity([3])])
        let refused = listener.recorder.counters.refusedIdentities
        #expect(refused == 0)
    }

    @Test func `a phone that writes ever new payloads cannot fill the log`() throws {
        var listener = try Listener { $0.entryCapacity = 1_024 }
        var identified = 0
        for number in 0..<10_000 {
            if number % 100 == 0 { listener.hear(.peer(1)) }
            try listener.identify(.peer(1), as: [UInt8(number >> 8), UInt8(number & 0xff)])
            listener.now += 10
            identified += listener.takeEntries().compactMap(\.identified).count
        }
        #expect(identified == 2)
        let refused = listener.recorder.counters.refusedIdentities
        #expect(refused == 9_998)
    }

    @Test func `a rejected identity is accepted when the peer presents it again`() throws {
        var listener = try Listener()
        listener.hear(.peer(1))
        try listener.identify(.peer(1), as: [1])
        var identified = listener.takeEntries().compactMap(\.identified)
        listener.now += 20_000
        listener.hear(.peer(1))
        try listener.identify(.peer(1), as: [2])
        listener.now += 20_000
        listener.hear(.peer(1))
        listener.now += 20_000
        try listener.identify(.peer(1), as: [2])
        identified += listener.takeEntries().compactMap(\.identified)
        #expect(try identified.map(\.identity) == [identity([1]), identity([2])])
    }

    @Test func `a large table is swept in parts`() throws {
        var listener = try Listener {
            $0.peerCapacity = 4_096
            $0.entryCapacity = 8_192
        }
        for number in 0..<4_096 as Range<UInt64> { listener.hear(.peer(number)) }
        _ = listener.takeEntries()
        listener.now += 8_000
        var samples: [Int] = []
        for _ in 0..<33 {
            listener.recorder.advance(now: listener.now)
            samples.append(listener.takeEntries().count)
        }
        #expect(samples == Array(repeating: 128, count: 32) + [0])
    }
}
