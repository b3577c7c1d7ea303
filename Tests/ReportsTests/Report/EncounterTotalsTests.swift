import Archive
import ArchiveTestSupport
import EncounterLog
import FixedMemory
import LogContents
import TestSupport
import Testing

@testable import Reports

/// The sums of a report, beside a plain computation over all encounters.
@Suite struct EncounterTotalsTests {
    private static let seeds = Array(1...30 as ClosedRange<UInt64>)

    private func encounters(seed: UInt64) -> [EncounterSummary] {
        var generator = SeededGenerator(seed: seed)
        let encounters = (0..<Int.random(in: 1...600, using: &generator)).map { _ in
            let start = Int64.random(in: 0...40_000_000, using: &generator)
            let length = Int64.random(
                in: 0...(Bool.random(using: &generator) ? 100_000 : 9_000_000), using: &generator)
            let isDated = Int.random(in: 0..<10, using: &generator) > 0
            var encounter = SampleWorld.encounter(
                with: Int.random(in: 0..<12, using: &generator) == 0
                    ? nil : SampleWorld.phone(UInt8.random(in: 0..<40, using: &generator)),
                on: isDated
                    ? .wallClock(error: .milliseconds(UInt64.random(in: 0...9_999, using: &generator)))
                    : .sinceStart(boot: 7),
                TimelinePoint(milliseconds: start)...TimelinePoint(milliseconds: start + length), samples: []
            ).summary
            if Bool.random(using: &generator) { encounter.board = TwoBoards.canteen }
            return encounter
        }
        func clock(_ encounter: EncounterSummary) -> String {
            encounter.isOnWallClock ? "" : encounter.board.hexadecimal
        }
        return encounters.enumerated().sorted {
            (clock($0.element), $0.element.start, $0.offset) < (
                clock($1.element), $1.element.start, $1.offset
            )
        }.map(\.element)
    }

    private var named: OwnBoards {
        OwnBoards([
            ServedIdentities(board: TwoBoards.badge, label: "Badge", identities: [SampleWorld.phone(3)])
        ])
    }

    @Test(arguments: seeds)
    func `counts, ranges and errors are those of a plain computation`(seed: UInt64) {
        let all = encounters(seed: seed)
        let totals = EncounterTotals(all, named)
        let dated = all.filter(\.isOnWallClock)
        let strangers = Set(all.compactMap(\.identity)).subtracting([SampleWorld.phone(3)])
        #expect(totals.count == all.count && totals.dated.count == dated.count, "seed \(seed)")
        #expect(totals.all.peers.count == strangers.count, "seed \(seed)")
        #expect(totals.all.unidentifiedCount == all.count { $0.identity == nil }, "seed \(seed)")
        let metBadge = all.contains { $0.identity == SampleWorld.phone(3) }
        #expect(totals.all.ownBoards == (metBadge ? [0] : []), "seed \(seed)")
        #expect(totals.range?.lowerBound == dated.map(\.start).min(), "seed \(seed)")
        #expect(totals.range?.upperBound == dated.map(\.end).max(), "seed \(seed)")
        #expect(totals.clockError == dated.compactMap(\.clockError).max(), "seed \(seed)")
        #expect(totals.durations.total == all.count, "seed \(seed)")
        #expect(totals.durations.counts[0] == all.count { $0.duration < .seconds(10) }, "seed \(seed)")
    }

    @Test(arguments: seeds)
    func `the longest encounters are kept, in order of time`(seed: UInt64) {
        let all = encounters(seed: seed)
        let order = all.indices.sorted { (all[$1].duration, $0) < (all[$0].duration, $1) }
        let kept = order.prefix(EncounterTotals.detailLimit)
        let totals = EncounterTotals(all, named)
        #expect(totals.longest.inOrderOfTime() == kept.sorted().map { all[$0] }, "seed \(seed)")
        #expect(totals.longest.inOrderOfTime(5) == order.prefix(5).sorted().map { all[$0] }, "seed \(seed)")
        #expect(totals.longest.longest == all[order[0]], "seed \(seed)")
    }

    @Test(arguments: seeds)
    func `the time near counts each moment of a peer once`(seed: UInt64) {
        let all = encounters(seed: seed)
        struct Key: Hashable {
            let peer: Peer
            let clock: FigureScope.Kind
        }
        var total: Int64 = 0
        for spans in Dictionary(grouping: all, by: { Key(peer: Peer($0), clock: FigureScope.Kind($0)) })
            .values
        {
            var position = Int64.min
            for span in spans.sorted(by: { $0.start < $1.start }) {
                total += max(0, span.end.milliseconds - max(position, span.start.milliseconds))
                position = max(position, span.end.milliseconds)
            }
        }
        #expect(EncounterTotals(all, named).nearTime.milliseconds == UInt64(total), "seed \(seed)")
    }

    @Test func `more peers than the limit are estimated well, in any order`() {
        var generator = SeededGenerator(seed: 5)
        let digests = (0..<400_000).map { _ in generator.next() }
        var (forward, backward) = (PeerTally(), PeerTally())
        for digest in digests { forward.add(digest) }
        for digest in digests.reversed() + digests { backward.add(digest) }
        #expect(forward == backward && !forward.isExact)
        #expect(abs(forward.count - digests.count) < digests.count / 50)
    }

    @Test func `digests of peers spread over all bits`() {
        let digests = (0..<4_000).map { index in
            Peer(
                Identity(scheme: SchemeCode(rawValue: 2), payload: [UInt8(index / 256), UInt8(index % 256)])
            ).digest
        }
        #expect(Set(digests).count == digests.count)
        #expect((1_800...2_200).contains(digests.count { $0.leadingZeroBitCount > 0 }))
    }
}
