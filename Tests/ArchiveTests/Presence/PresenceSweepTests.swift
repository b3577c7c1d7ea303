import FixedMemory
import TestSupport
import Testing

@testable import Archive

/// The counts of peers near a board, in quarters of an hour.
@Suite struct PresenceSweepTests {
    private static let length: Int64 = 15 * 60_000

    private struct Stay {
        let peer: String
        let start: Int64
        let end: Int64
        var error: Int64? = 20

        func event(at time: Int64, isArrival: Bool) -> PresenceEvent {
            PresenceEvent(time: time, isArrival: isArrival, peer: peer, identity: peer, error: error)
        }
    }

    private func slots(_ stays: [Stay], from first: Int64 = 0, to last: Int64) -> [PresenceSweep.Slot] {
        var events: [PresenceEvent] = []
        for stay in stays where stay.end >= first && stay.start < last {
            events.append(stay.event(at: stay.start, isArrival: true))
            if stay.end < last {
                events.append(stay.event(at: stay.end, isArrival: false))
            }
        }
        var sweep = PresenceSweep(from: first)
        for event in events.sorted(by: { ($0.time, $0.isArrival ? 0 : 1) < ($1.time, $1.isArrival ? 0 : 1) })
        {
            sweep.next(event)
        }
        sweep.finish(at: last)
        return sweep.slots
    }

    @Test func `a phone that changes its identity is two peers, but never two at a time`() {
        let slots = slots(
            [Stay(peer: "a", start: 60_000, end: 360_000), Stay(peer: "b", start: 361_000, end: 700_000)],
            to: Self.length)
        #expect(
            slots == [
                PresenceSweep.Slot(
                    start: 0, peerCount: 2, peakCount: 1, presentMilliseconds: 639_000, arrivalCount: 2,
                    departureCount: 2, errorMilliseconds: 20)
            ])
    }

    @Test func `a stay of an hour is in each of its quarters, and arrives once`() {
        let slots = slots([Stay(peer: "board 7", start: 600_000, end: 4 * Self.length)], to: 8 * Self.length)
        #expect(slots.map(\.start) == (0...4).map { $0 * Self.length })
        #expect(slots.map(\.boardCount) == [1, 1, 1, 1, 1])
        #expect(slots.map(\.arrivalCount) == [1, 0, 0, 0, 0])
        #expect(slots.map(\.departureCount) == [0, 0, 0, 0, 1])
        #expect(slots.map(\.presentMilliseconds) == [300_000, Self.length, Self.length, Self.length, 0])
    }

    @Test func `a device with two identities at a time is one peer`() {
        var sweep = PresenceSweep(from: 0)
        for (identity, time, isArrival) in [
            ("herald", 10, true), ("sonar", 20, true), ("herald", 500, false), ("sonar", 600, false),
        ] as [(String, Int64, Bool)] {
            sweep.next(
                PresenceEvent(time: time, isArrival: isArrival, peer: "1/7", identity: identity, error: 20))
        }
        sweep.finish(at: Self.length)
        #expect(sweep.slots.map(\.peerCount) == [1])
        #expect(sweep.slots.map(\.peakCount) == [1])
        #expect(sweep.slots.map(\.presentMilliseconds) == [590])
    }

    @Test func `an identity that returns under another address is one peer`() {
        var sweep = PresenceSweep(from: 0)
        for (track, time, isArrival) in [
            ("1/7", 10, true), ("1/7", 20, false), ("1/8", 500, true), ("1/8", 600, false),
        ] as [(String, Int64, Bool)] {
            sweep.next(PresenceEvent(time: time, isArrival: isArrival, peer: track, identity: "a", error: 20))
        }
        sweep.finish(at: Self.length)
        #expect(sweep.slots.map(\.peerCount) == [1])
        #expect(sweep.slots.map(\.arrivalCount) == [2])
    }

    /// The same counts from each stay and each moment, without a sweep.
    private func expected(_ stays: [Stay], at start: Int64) -> PresenceSweep.Slot? {
        let end = start + Self.length
        let inside = stays.filter { $0.start < end && $0.end >= start }
        guard !inside.isEmpty else { return nil }
        var slot = PresenceSweep.Slot(start: start)
        slot.errorMilliseconds = inside.reduce(0) { worst, stay in
            worst.flatMap { worst in stay.error.map { max(worst, $0) } }
        }
        let peers = Set(inside.map(\.peer))
        slot.peerCount = peers.count
        slot.boardCount = peers.count { $0.hasPrefix("board ") }
        for moment in inside.map({ max($0.start, start) }) {
            let near = Set(inside.filter { $0.start <= moment && $0.end >= moment }.map(\.peer))
            slot.peakCount = max(slot.peakCount, near.count)
        }
        for peer in peers {
            var joined: [(start: Int64, end: Int64)] = []
            for stay in stays.filter({ $0.peer == peer }).sorted(by: { $0.start < $1.start }) {
                if let last = joined.last, stay.start <= last.end {
                    joined[joined.count - 1].end = max(last.end, stay.end)
                } else {
                    joined.append((stay.start, stay.end))
                }
            }
            for stay in joined {
                slot.presentMilliseconds += max(0, min(stay.end, end) - max(stay.start, start))
                if (start..<end).contains(stay.start) { slot.arrivalCount += 1 }
                if (start..<end).contains(stay.end) { slot.departureCount += 1 }
            }
        }
        return slot
    }

    @Test(arguments: Array(1...50 as ClosedRange<UInt64>))
    func `random stays are counted as each quarter of an hour by itself, from any quarter on`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let stays = (0..<Int.random(in: 1...40, using: &generator)).map { _ in
            // Often exactly at the turn of a quarter.
            let grid: Int64 = Bool.random(using: &generator) ? Self.length / 3 : 1
            let start = Int64.random(in: 0..<(8 * Self.length / grid), using: &generator) * grid
            let isBoard = Bool.random(using: &generator)
            return Stay(
                peer: (isBoard ? "board " : "") + "\(Int.random(in: 0..<6, using: &generator))", start: start,
                end: start + Int64.random(in: 0...(3 * Self.length / grid), using: &generator) * grid,
                error: [20, 20, 400, nil].randomElement(using: &generator) ?? nil)
        }
        let all = (0..<12).compactMap { expected(stays, at: $0 * Self.length) }
        #expect(slots(stays, to: 12 * Self.length) == all, "seed \(seed)")
        let first = Int64.random(in: 1..<11, using: &generator) * Self.length
        #expect(
            slots(stays, from: first, to: 12 * Self.length) == all.filter { $0.start >= first },
            "seed \(seed), from \(first)")
    }
}
