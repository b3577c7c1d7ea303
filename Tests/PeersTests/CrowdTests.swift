import EncounterLog
import FixedMemory
import HCI
import Peers
import TestSupport
import Testing

/// More peers than the table holds, some of them from an attacker.
@Suite struct CrowdTests {
    /// An address that differs from every ``DeviceAddress/peer(_:)``.
    private func randomAddress(_ number: UInt64) -> DeviceAddress {
        DeviceAddress(value: 0x4000_0000_0000 | number &* 0x9e37_79b9 & 0x3fff_ffff_ffff, isRandom: true)
    }

    /// A recorder that has heard `count` peers for ten seconds, and read every second of them. Its entries
    /// are dropped.
    private func established(_ count: UInt64) throws -> Listener {
        var listener = try Listener {
            $0.peerCapacity = 4_096
            $0.entryCapacity = 16_384
        }
        for second in 0...10 {
            if second % 5 == 0 {
                for number in 0..<count { listener.hear(.peer(number)) }
            }
            if second == 5 {
                for number in 0..<count where number % 2 == 0 {
                    try listener.identify(.peer(number), as: [UInt8(number >> 8), UInt8(number & 0xff)])
                    if number % 1_024 == 0 { _ = listener.takeEntries() }
                }
            }
            listener.wait(milliseconds: 1_000)
            _ = listener.takeEntries()
        }
        return listener
    }

    /// Sends 100,000 adverts, each from another address, at 1,000 a second, while all staying peers are heard
    /// every ten seconds. The resulting entries go to `keep`.
    private func flood(
        _ listener: inout Listener, like interest: PeerInterest, staying count: UInt64,
        keep: (LogEntry) -> Void = { _ in }
    ) {
        for number in 0..<100_000 as Range<UInt64> {
            listener.hear(randomAddress(number), -30, interest)
            if number % 10_000 == 0 {
                for staying in 0..<count { listener.hear(.peer(staying)) }
            }
            if number % 100 == 99 {
                listener.now += 100
                listener.recorder.advance(now: listener.now)
                while let entry = listener.recorder.nextEntry() {
                    keep(entry)
                    listener.recorder.dropEntry()
                }
            }
        }
    }

    @Test(arguments: [PeerInterest.ignored, .candidate, .participant], [4_096, 3_000] as [UInt64])
    func `a flood does not evict the peers that stay`(_ interest: PeerInterest, staying count: UInt64) throws
    {
        var listener = try established(count)
        let reportsBefore = listener.recorder.counters.reports
        // Encounters are numbered as they open, so the staying peers have the first numbers.
        var samples = [Int](repeating: 0, count: Int(count) + 1)
        var turns = 0
        flood(&listener, like: interest, staying: count) { entry in
            if let sample = entry.sample, sample.encounter <= count { samples[Int(sample.encounter)] += 1 }
            if let opened = entry.opened, opened.encounter <= count { turns += 1 }
            if let closed = entry.closed, closed.encounter <= count { turns += 1 }
        }
        #expect(turns == 0, "their encounters neither begin nor end")
        #expect(samples.dropFirst().allSatisfy { $0 >= 9 })
        var known = 0
        var read = 0
        for number in 0..<count {
            if listener.standing(of: .peer(number)) == .confirmed { known += 1 }
            if !listener.recorder.exchanges.needsIdentity(of: .peer(number), in: listener.recorder.peers) {
                read += 1
            }
        }
        #expect(known == Int(count))
        #expect(read == Int(count) / 2)
        let counters = listener.recorder.counters
        #expect(counters.reports - reportsBefore == 100_000 + UInt32(count) * 10)
        #expect(counters.dropped == 0)
        if count == 4_096 {
            #expect(counters.turnedAway == 100_000)
            #expect(counters.evicted == 0)
        }
    }

    @Test(arguments: [PeerInterest.candidate, .participant])
    func `a peer that arrives in a flood and stays is kept`(_ interest: PeerInterest) throws {
        var listener = try established(3_000)
        let phone = DeviceAddress.peer(5_000)
        for number in 0..<40_000 as Range<UInt64> {
            listener.hear(randomAddress(number), -30, interest)
            if number >= 10_000, number % 500 == 0 { listener.hear(phone, -85) }
            if number % 100 == 99 {
                if number % 10_000 == 99 {
                    for staying in 0..<3_000 as Range<UInt64> { listener.hear(.peer(staying)) }
                }
                listener.now += 100
                listener.recorder.advance(now: listener.now)
                _ = listener.takeEntries()
            }
        }
        #expect(listener.standing(of: phone) == .confirmed)
    }

    /// A quarter of the table is for tentative peers, so peers that have just left are still remembered.
    @Test func `a flood of tentative peers does not evict peers that have just left`() throws {
        var listener = try established(3_000)
        listener.wait(milliseconds: 31_000)
        _ = listener.takeEntries()
        flood(&listener, like: .participant, staying: 0)
        var known = 0
        for number in 0..<3_000 as Range<UInt64> where listener.isKnown(.peer(number)) { known += 1 }
        #expect(known == 3_000)
    }

    @Test
    func `ignored peers are evicted first, then peers that have left, then tentative ones, and no others`()
        throws
    {
        var listener = try Listener { $0.peerCapacity = 8 }
        // Confirmed peers that have left, and are still in the table.
        try listener.identify(.peer(1), as: [1])
        try listener.identify(.peer(2), as: [2])
        // A peer that stays.
        listener.hear(.peer(3))
        try listener.identify(.peer(3), as: [3])
        listener.hear(.peer(4), -60, .ignored)
        listener.hear(.peer(5), -60, .ignored)
        for number in 6...8 as ClosedRange<UInt64> {
            listener.now += 1
            listener.hear(.peer(number), -60, .candidate)
        }
        var order: [UInt64] = []
        for tentative in 100..<106 as Range<UInt64> {
            let before = (1...8 as ClosedRange<UInt64>).filter { listener.isKnown(.peer($0)) }
            listener.hear(.peer(tentative))
            try listener.identify(.peer(tentative), as: [UInt8(tentative)])
            order += before.filter { !listener.isKnown(.peer($0)) }
        }
        // Three or more tentative peers exceed their quarter, so they are evicted before the peers that have
        // left.
        #expect(order == [4, 5, 6, 1, 2, 7])
        listener.hear(.peer(106))
        #expect(listener.standing(of: .peer(8)) == nil)
        #expect(listener.standing(of: .peer(3)) == .confirmed)
        let before = listener.recorder.counters
        #expect(before.turnedAway == 0 && before.evicted == 7)
    }

    @Test func `a peer for which the table has no room is counted`() throws {
        var listener = try Listener { $0.peerCapacity = 4 }
        for number in 0..<4 as Range<UInt64> {
            listener.hear(.peer(number))
            try listener.identify(.peer(number), as: [UInt8(number)])
        }
        _ = listener.takeEntries()
        listener.hear(.peer(10), times: 3)
        listener.hear(.peer(11), -60, .ignored)
        try listener.identify(.peer(12), as: [12])
        #expect(listener.takeEntries().isEmpty)
        let counters = listener.recorder.counters
        #expect(counters.turnedAway == 5)
        #expect(counters.reports == 8)
        #expect(counters.evicted == 0)
    }

    @Test func `an ignored peer never replaces a peer of interest`() throws {
        var listener = try Listener { $0.peerCapacity = 2 }
        listener.hear(.peer(1))
        listener.hear(.peer(2))
        listener.now += 100_000
        listener.hear(.peer(3), -40, .ignored)
        let standings = (1...3 as ClosedRange<UInt64>).map { listener.standing(of: .peer($0)) }
        #expect(standings == [.tentative, .tentative, nil])
    }

    @Test func `ten seconds or an identity confirm a tentative peer`() throws {
        var listener = try Listener()
        listener.hear(.peer(1))
        listener.hear(.peer(2), -60, .candidate)
        listener.hear(.peer(3), -60, .candidate)
        try listener.identify(.peer(3), as: [3])
        for _ in 0..<9 {
            listener.now += 1_100
            listener.hear(.peer(1))
            listener.hear(.peer(2), -60, .candidate)
        }
        let standings = (1...3 as ClosedRange<UInt64>).map { listener.standing(of: .peer($0)) }
        #expect(standings == [.tentative, .tentative, .confirmed])
        listener.now += 100
        listener.hear(.peer(1))
        listener.hear(.peer(2), -60, .candidate)
        #expect(listener.standing(of: .peer(1)) == .confirmed)
        #expect(listener.standing(of: .peer(2)) == .confirmed)
    }

    @Test func `a tentative peer is forgotten with its encounter`() throws {
        var listener = try Listener()
        listener.hear(.peer(1))
        listener.wait(milliseconds: 31_000)
        #expect(listener.standing(of: .peer(1)) == nil)
        #expect(listener.takeEntries().map(\.name) == ["opened", "sample", "closed"])
    }

    @Test(arguments: [1 as UInt64, 2, 3, 4, 5], [4, 31, 100])
    func `the table does what the simplest model does`(seed: UInt64, capacity: Int) throws {
        print("seed \(seed)")
        var generator = SeededGenerator(seed: seed)
        var settings = RecorderSettings()
        settings.peerCapacity = capacity
        settings.entryCapacity = 1_024
        settings.forget = 120_000
        var listener = try Listener { $0 = settings }
        var model = CrowdModel(settings)
        var reports: UInt32 = 0
        let universe = (0..<UInt64(capacity) * 2).map { DeviceAddress.peer($0) }
        for step in 0..<6_000 {
            // Sometimes all peers are silent for a while, and each peer is present for part of the time only.
            listener.now += .milliseconds(
                .random(in: 0...(step % 500 == 0 ? 40_000 : 1_200), using: &generator))
            let about = universe.dropFirst(step / 40 % capacity).prefix(capacity + 2)
            guard let address = about.randomElement(using: &generator) else { continue }
            switch Int.random(in: 0..<40, using: &generator) {
            case 0:
                // Each peer has its own identity, because peers with one identity may be merged.
                let bytes =
                    [0x30, UInt8.random(in: 0...1, using: &generator)] + (0..<6).map { address.bytes[$0] }
                try listener.identify(address, as: bytes)
                model.identify(address, now: listener.now)
            case 1:
                listener.recorder.markUnsupported(address, now: listener.now, jitter: 0)
                model.markUnsupported(address)
            case 2, 3:
                listener.recorder.advance(now: listener.now)
                model.advance(now: listener.now)
            default:
                let kind = Int.random(in: 0..<6, using: &generator)
                let interest: PeerInterest = kind < 2 ? .ignored : kind < 4 ? .candidate : .participant
                let dBm: Int8? = Int.random(in: 0..<8, using: &generator) == 0 ? nil : -60
                listener.hear(address, dBm, interest)
                model.hear(address, interest, hasReading: dBm != nil, now: listener.now)
                reports += 1
            }
            _ = listener.takeEntries()
            let standings = universe.map { listener.standing(of: $0) }
            try #require(standings == universe.map { model.peers[$0]?.standing }, "step \(step)")
        }
        let counters = listener.recorder.counters
        #expect(counters.reports == reports)
        #expect(Int(counters.evicted) == model.evicted)
        #expect(Int(counters.turnedAway) == model.turnedAway)
        #expect(counters.evicted > 0)
        #expect(counters.dropped == 0)
    }
}
