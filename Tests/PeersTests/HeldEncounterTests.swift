import EncounterLog
import FixedMemory
import HCI
import TestSupport
import Testing

@testable import Peers

/// Encounters of peers that have not given their identity.
@Suite struct HeldEncounterTests {
    private func listener(
        fleeting: LogAllowance = .fleeting, lasting: LogAllowance = .lasting
    ) throws -> Listener {
        try Listener {
            $0.strangers = StrangerLimits()
            $0.strangers.fleeting = fleeting
            $0.strangers.lasting = lasting
            $0.entryCapacity = 256
        }
    }

    private static var none: LogAllowance { LogAllowance(pace: .minutes(1), burstKibibytes: 0) }

    private func hear(_ listener: inout Listener, _ peer: DeviceAddress = .peer(1), seconds: Int) {
        for _ in 0..<seconds {
            listener.hear(peer)
            listener.wait(milliseconds: 1_000)
        }
    }

    @Test func `an encounter without identity goes to the log when it has lasted ten seconds`() throws {
        var listener = try listener()
        hear(&listener, seconds: 10)
        #expect(listener.takeEntries().isEmpty)
        hear(&listener, seconds: 2)
        let entries = listener.takeEntries()
        #expect(entries.first?.opened?.instant == 1_000_000)
        #expect(entries.compactMap(\.opened).count == 1)
    }

    @Test func `an identity releases the encounter at once`() throws {
        var listener = try listener(fleeting: Self.none, lasting: Self.none)
        hear(&listener, seconds: 2)
        try listener.identify(.peer(1), as: [0x30, 1])
        #expect(listener.takeEntries().map(\.name) == ["opened", "identified"])
    }

    @Test func `a peer that comes back after its identity was read is logged from its first advert on`()
        throws
    {
        var listener = try listener(fleeting: Self.none, lasting: Self.none)
        hear(&listener, seconds: 1)
        try listener.identify(.peer(1), as: [0x30, 1])
        listener.wait(milliseconds: 60_000)
        _ = listener.takeEntries()
        listener.hear(.peer(1))
        #expect(listener.takeEntries().map(\.name) == ["opened", "identified"])
    }

    @Test func `a short encounter is logged as a whole when it ends, while the allowance lasts`() throws {
        var listener = try listener()
        hear(&listener, seconds: 3)
        listener.wait(milliseconds: 40_000)
        let entries = listener.takeEntries()
        #expect(entries.map(\.name) == ["opened", "sample", "closed"])
        #expect(entries.last?.closed?.readings == 3)
        let unlogged = listener.recorder.counters.unlogged
        #expect(unlogged == 0)
    }

    @Test func `beyond the allowance only the number of short encounters remains`() throws {
        var listener = try listener(fleeting: Self.none)
        for number in 0..<10 as Range<UInt64> { listener.hear(.peer(number)) }
        listener.wait(milliseconds: 40_000)
        let counters = listener.recorder.counters
        #expect(listener.takeEntries().isEmpty)
        #expect(counters.unlogged == 10)
        #expect(counters.encounters == 0 && counters.dropped == 0)
    }

    @Test func `a peer that stays beyond the allowance is logged as soon as it gives its identity`() throws {
        var listener = try listener(lasting: Self.none)
        hear(&listener, seconds: 100)
        #expect(listener.takeEntries().isEmpty)
        try listener.identify(.peer(1), as: [0x30, 1])
        _ = listener.recorder.flush()
        let samples = listener.takeEntries().compactMap(\.sample)
        #expect(samples.reduce(0) { $0 + Int($1.readings) } == 100)
    }

    @Test func `when the allowance ends, samples without identity grow longer and lose no reading`() throws {
        var listener = try listener(lasting: LogAllowance(pace: .hours(1), burstKibibytes: 1))
        hear(&listener, seconds: 900)
        listener.wait(milliseconds: 40_000)
        let entries = listener.takeEntries()
        #expect(entries.compactMap(\.closed).map(\.readings) == [900])
        let samples = entries.compactMap(\.sample)
        #expect(samples.reduce(0) { $0 + Int($1.readings) } == 900)
        #expect(samples.count < 60, "without a limit there are 112")
    }

    @Test func `an encounter to which a message refers is logged with it`() throws {
        var listener = try listener()
        listener.hear(.peer(1))
        listener.recorder.recordMessage(try identity([1, 2, 3]), from: .peer(1), now: listener.now)
        #expect(listener.takeEntries().map(\.name) == ["opened", "message"])
    }

    @Test func `refused identities beyond the allowance are counted and not logged`() throws {
        var listener = try listener(fleeting: LogAllowance(pace: .hours(1), burstKibibytes: 1))
        let bytes = [UInt8](repeating: 0, count: 129)
        for _ in 0..<100 {
            listener.recorder.refuse(
                bytes.span, of: .sonar, from: .peer(1), because: .notOnCurve, now: listener.now)
        }
        #expect(listener.takeEntries().count == 6)
        let refused = listener.recorder.counters.refusedIdentities
        #expect(refused == 100)
    }

    @Test func `the end of the agent ends held encounters, too`() throws {
        var listener = try listener()
        listener.hear(.peer(1))
        let isFlushed = listener.recorder.flush()
        #expect(isFlushed)
        #expect(listener.takeEntries().map(\.name) == ["opened", "sample"])
    }

    /// 500 new addresses a second for 12 minutes, as the air carries.
    @Test func `a flood of new addresses takes at most the fleeting allowance of entries`() throws {
        var listener = try Listener {
            $0.strangers = StrangerLimits()
            $0.peerCapacity = 4_096
            $0.entryCapacity = 1_024
        }
        var byteCount = 0
        for number in 0..<360_000 as Range<UInt64> {
            listener.hear(DeviceAddress.staticRandom(seed: 0x100_0000 + number))
            guard number % 50 == 49 else { continue }
            listener.now += 100
            listener.recorder.advance(now: listener.now)
            // The largest sizes of these entries.
            for entry in listener.takeEntries() { byteCount += entry.sample == nil ? 21 : 24 }
        }
        let unlogged = listener.recorder.counters.unlogged
        #expect(byteCount > 32 << 10)
        #expect(byteCount <= (32 + 42) << 10)
        #expect(unlogged > 350_000)
    }
}
