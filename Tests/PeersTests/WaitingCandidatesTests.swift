import EncounterLog
import FixedMemory
import HCI
import TestSupport
import Testing

@testable import Peers

/// Candidates that are confirmed only after minutes, such as an iPhone in the background that was out of
/// range or seldom answered.
@Suite struct WaitingCandidatesTests {
    @Test func `HP-D01, HP-C20, HP-C27: a candidate's encounter waits for confirmation, and is complete`()
        throws
    {
        var listener = try Listener()
        for _ in 0..<20 {
            listener.hear(.peer(1), -70, .candidate, foundBy: .appleOverflow)
            listener.wait(milliseconds: 1_000)
        }
        #expect(listener.takeEntries().isEmpty)
        try listener.identify(.peer(1), as: [0x30, 1, 2])
        _ = listener.recorder.flush()
        let entries = listener.takeEntries()
        #expect(entries.map(\.name) == ["opened", "identified", "sample", "sample", "sample"])
        #expect(entries[0].opened?.instant == 1_000_000)
        #expect(entries[0].opened?.foundBy == .appleOverflow)
        #expect(entries.compactMap(\.sample).map(\.readings) == [8, 8, 4])
    }

    @Test func `an unsupported candidate leaves no entry`() throws {
        var listener = try Listener()
        listener.hear(.peer(1), -70, .candidate)
        listener.recorder.markUnsupported(.peer(1), now: listener.now, jitter: 0)
        listener.wait(milliseconds: 60_000)
        let openCount = listener.recorder.openEncounterCount
        #expect(listener.takeEntries().isEmpty && openCount == 0)
    }

    /// An iPhone that the agent can never read may be heard for days.
    @Test func `a candidate heard for a very long time loses no reading`() throws {
        var listener = try Listener { $0.entryCapacity = 256 }
        for _ in 0..<200_000 {
            listener.hear(.peer(1), -70, .candidate)
            listener.now += 10
        }
        try listener.identify(.peer(1), as: [1])
        _ = listener.recorder.flush()
        let samples = listener.takeEntries().compactMap(\.sample)
        #expect(samples.reduce(0) { $0 + Int($1.readings) } == 200_000)
        #expect(samples.count <= 65)
    }

    private func samples(_ entries: [LogEntry]) -> [SampleEntry] { entries.compactMap(\.sample) }

    private func count(_ samples: [SampleEntry]) -> Int { samples.reduce(0) { $0 + Int($1.readings) } }

    private func durations(_ samples: [SampleEntry]) -> [Interval] {
        samples.map { $0.end - $0.start }
    }

    /// Hears the peer once a second.
    private func hear(
        _ listener: inout Listener, _ number: UInt64 = 1, seconds: Int, power: Int8? = nil
    ) {
        for _ in 0..<seconds {
            listener.hear(.peer(number), -70, .candidate, foundBy: .appleOverflow, power: power)
            listener.wait(milliseconds: 1_000)
        }
    }

    private func confirmed(_ listener: inout Listener, _ number: UInt64 = 1) throws -> [LogEntry] {
        try listener.identify(.peer(number), as: [0x30, UInt8(number)])
        _ = listener.recorder.flush()
        return listener.takeEntries()
    }

    @Test func `HP-C28: five minutes of a candidate make normal samples with their times and powers`() throws
    {
        var listener = try Listener { $0.entryCapacity = 256 }
        hear(&listener, seconds: 100, power: -12)
        hear(&listener, seconds: 200, power: 8)
        #expect(listener.takeEntries().isEmpty)
        let entries = try confirmed(&listener)
        #expect(entries.prefix(2).map(\.name) == ["opened", "identified"])
        let samples = samples(entries)
        #expect(count(samples) == 300)
        #expect(durations(samples).allSatisfy { $0 < 8_000 })
        #expect(samples.first?.start == 1_000_000)
        #expect(samples.last?.end == 1_299_000)
        #expect(zip(samples, samples.dropFirst()).allSatisfy { $0.end < $1.start })
        for sample in samples {
            #expect(sample.txPowerDBm == (sample.start < 1_100_000 ? -12 : 8))
            #expect(sample.end < 1_100_000 || sample.start >= 1_100_000)
        }
        #expect(samples.allSatisfy { $0.encounter == 1 && $0.meanRSSITenthsDBm == -700 })
    }

    @Test func `samples that wait as long as an iPhone's address lasts cover less than 24 s each`() throws {
        var listener = try Listener { $0.entryCapacity = 256 }
        hear(&listener, seconds: 900)
        let samples = samples(try confirmed(&listener))
        #expect(samples.count <= 65)
        #expect(count(samples) == 900)
        #expect(durations(samples).allSatisfy { $0 < 24_000 })
    }

    @Test(arguments: [1 as UInt64, 2, 3])
    func `merged samples have the count, extremes and mean of all their readings`(seed: UInt64) throws {
        print("seed \(seed)")
        var generator = SeededGenerator(seed: seed)
        var listener = try Listener { $0.entryCapacity = 256 }
        var heard: [(instant: Instant, dBm: Int8)] = []
        for _ in 0..<2_000 {
            let dBm = Int8.random(in: -100 ... -30, using: &generator)
            listener.hear(.peer(1), dBm, .candidate)
            heard.append((listener.now, dBm))
            listener.wait(milliseconds: .random(in: 1...3_000, using: &generator))
        }
        let samples = samples(try confirmed(&listener))
        #expect(count(samples) == 2_000)
        for sample in samples {
            let times = sample.start...sample.end
            let readings = heard.filter { times.contains($0.instant) }.map(\.dBm)
            #expect(readings.count == Int(sample.readings))
            #expect(readings.min() == sample.minimumRSSIDBm && readings.max() == sample.maximumRSSIDBm)
            let mean = Double(readings.reduce(0) { $0 + Int($1) }) / Double(readings.count)
            #expect(abs(mean * 10 - Double(sample.meanRSSITenthsDBm)) <= 0.5)
        }
    }

    @Test func `a peer with another power in each advert loses no reading, only the power`() throws {
        var listener = try Listener { $0.entryCapacity = 256 }
        for number in 0..<300 {
            hear(&listener, seconds: 1, power: number.isMultiple(of: 2) ? -12 : 8)
        }
        let samples = samples(try confirmed(&listener))
        #expect(count(samples) == 300)
        #expect(samples.count <= 65)
        #expect(samples.contains { $0.txPowerDBm == SampleEntry.unknownTxPowerDBm })
        #expect(Set(samples.suffix(2).map(\.txPowerDBm)) == [-12, 8])
    }

    @Test func `many waiting candidates share the pool, and keep their counts, first and last times`() throws
    {
        var listener = try Listener {
            $0.entryCapacity = 256
            $0.peerCapacity = 32
            $0.waitingSampleCapacity = 64
        }
        hear(&listener, 1, seconds: 100)
        for _ in 0..<200 {
            for number in 1...20 as ClosedRange<UInt64> {
                listener.hear(.peer(number), -70, .candidate)
            }
            listener.wait(milliseconds: 1_000)
        }
        for number in 1...20 as ClosedRange<UInt64> {
            let samples = samples(try confirmed(&listener, number))
            #expect(count(samples) == (number == 1 ? 300 : 200))
            #expect(samples.first?.start == (number == 1 ? 1_000_000 : 1_100_000))
            #expect(samples.last?.end == 1_299_000)
            #expect(samples.count >= 3, "two pool slots for each, and the sample in progress")
        }
    }

    @Test func `without any free place a sample continues`() throws {
        var listener = try Listener { $0.waitingSampleCapacity = 1 }
        for _ in 0..<100 {
            for number in 1...3 as ClosedRange<UInt64> { listener.hear(.peer(number), -70, .candidate) }
            listener.wait(milliseconds: 1_000)
        }
        var total = 0
        for number in 1...3 as ClosedRange<UInt64> {
            total += count(samples(try confirmed(&listener, number)))
        }
        #expect(total == 300)
    }

    @Test func `HP-C28: a sample without a free place continues under another power, and states none`() throws
    {
        var listener = try Listener { $0.waitingSampleCapacity = 1 }
        hear(&listener, seconds: 20, power: -12)
        hear(&listener, seconds: 20, power: 8)
        let found = samples(try confirmed(&listener))
        #expect(count(found) == 40)
        #expect(found.map(\.txPowerDBm) == [-12, SampleEntry.unknownTxPowerDBm])
    }

    @Test func `HP-C20: an unsupported peer frees its places, and the log has nothing of it`() throws {
        var listener = try Listener {
            $0.entryCapacity = 256
            $0.waitingSampleCapacity = 8
        }
        for _ in 0..<10 {
            hear(&listener, 1, seconds: 100)
            listener.recorder.markUnsupported(.peer(1), now: listener.now, jitter: 0)
            hear(&listener, 2, seconds: 60)
            // The candidate falls silent, unconfirmed.
            listener.wait(milliseconds: 40_000)
        }
        #expect(listener.takeEntries().isEmpty)
        hear(&listener, 3, seconds: 64)
        #expect(samples(try confirmed(&listener, 3)).count == 8, "all places are free again")
    }

    @Test func `waiting samples are written as the queue has room, before newer ones`() throws {
        var listener = try Listener { $0.entryCapacity = 4 }
        hear(&listener, seconds: 100)
        try listener.identify(.peer(1), as: [1])
        var entries: [LogEntry] = []
        for _ in 0..<20 {
            hear(&listener, seconds: 1)
            listener.wait(milliseconds: 8_000)
            entries += listener.takeEntries()
        }
        while !listener.recorder.flush() { entries += listener.takeEntries() }
        entries += listener.takeEntries()
        let samples = samples(entries)
        #expect(count(samples) == 120)
        #expect(zip(samples, samples.dropFirst()).allSatisfy { $0.end < $1.start })
        #expect(listener.recorder.counters.dropped == 0)
    }

    @Test func `HP-D06: samples waiting under a second address go to the encounter continuing there`() throws
    {
        var listener = try Listener { $0.entryCapacity = 256 }
        hear(&listener, 1, seconds: 20)
        try listener.identify(.peer(1), as: [0x30, 9])
        hear(&listener, 2, seconds: 25)
        try listener.identify(.peer(2), as: [0x30, 9])
        _ = listener.recorder.flush()
        let entries = listener.takeEntries()
        #expect(listener.recorder.counters.merged == 1)
        #expect(entries.compactMap(\.opened).count == 1)
        let samples = samples(entries)
        #expect(samples.allSatisfy { $0.encounter == 1 })
        #expect(count(samples) == 45)
        #expect(durations(samples).allSatisfy { $0 < 8_000 })
    }
}
