import Archive
import EncounterLog
import FixedMemory
import TestSupport
import Testing

/// A log may contain any numbers. Covered and blind time must still fill the requested range exactly once.
@Suite struct HostileCoverageTests {
    @Test(arguments: 0..<200 as Range<UInt64>)
    func `covered and blind time fill the range without overlap`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let history = BoardHistory(
            board: .test, boots: (0..<4).map { boot($0, &generator) },
            holes: (0..<3).map { _ in hole(&generator) })
        var timelines = CoverageAssembly.timelines(of: history)
        let times = [
            WallClockTime(milliseconds: time(&generator)), WallClockTime(milliseconds: time(&generator)),
        ].sorted()
        timelines += CoverageAssembly.timelines(of: history, since: times[0], until: times[1])
        timelines += CoverageAssembly.timelines(of: history, since: times[0])
        timelines += CoverageAssembly.timelines(of: history, until: times[1])
        for timeline in timelines { check(timeline, seed: seed) }
    }

    private func check(_ timeline: CoverageTimeline, seed: UInt64) {
        let covered = timeline.covered.map { ($0.start, $0.end) }
        let blind = timeline.blind.map { ($0.start, $0.end) }
        var position = timeline.range.lowerBound
        for (start, end) in (covered + blind).sorted(by: <) {
            #expect(start == position && end >= start, "seed \(seed)")
            position = end
        }
        #expect(position == timeline.range.upperBound, "seed \(seed)")
        #expect(timeline.blind.allSatisfy { !$0.cause.text.isEmpty })
        for interval in timeline.covered {
            #expect((0...interval.duration).contains(interval.quietLength), "seed \(seed)")
        }
        let summary = CoverageSummary(timeline)
        #expect((0...1).contains(summary.coveredShare ?? 0), "seed \(seed)")
        #expect((0...1).contains(summary.quietShare ?? 0), "seed \(seed)")
    }

    private func boot(_ identifier: UInt64, _ generator: inout SeededGenerator) -> BootHistory {
        let anchors = (0..<Int.random(in: 0...2, using: &generator)).map { _ in
            Anchor(
                instant: Instant(milliseconds: time(&generator)),
                wallClock: WallClockTime(milliseconds: time(&generator)),
                error: Interval(milliseconds: UInt64.random(in: 0...UInt64(UInt32.max), using: &generator)),
                source: nil)
        }
        let hasParameters = Bool.random(using: &generator)
        return BootHistory(
            identifier: identifier,
            parameters: hasParameters
                ? BootParameters(
                    start: Instant(milliseconds: time(&generator)), softwareVersion: "1.2.3", sampleLength: 0,
                    encounterTimeout: 0, lossWindow: Interval(milliseconds: UInt64(UInt32.max)), role: 9)
                : nil,
            anchors: anchors,
            coverage: (0..<Int.random(in: 0...20, using: &generator)).map { _ in
                Coverage(
                    start: Instant(milliseconds: time(&generator)),
                    end: Instant(milliseconds: time(&generator)),
                    reportCount: Int.random(in: 0...1, using: &generator) * Int(UInt32.max))
            },
            radioIncidents: (0..<Int.random(in: 0...9, using: &generator)).map { _ in
                RadioIncident(
                    instant: Instant(milliseconds: time(&generator)),
                    event: RadioEvent(rawValue: UInt8.random(in: 0...6, using: &generator)),
                    fault: RadioFaultKind(rawValue: UInt8.random(in: 0...15, using: &generator)),
                    rung: RecoveryRung(rawValue: UInt8.random(in: 0...9, using: &generator)),
                    detail: UInt32.random(in: 0...UInt32.max, using: &generator))
            })
    }

    private func hole(_ generator: inout SeededGenerator) -> LogHole {
        func moment() -> LogHole.Moment? {
            Bool.random(using: &generator)
                ? LogHole.Moment(
                    boot: UInt64.random(in: 0...5, using: &generator),
                    instant: Instant(milliseconds: time(&generator))) : nil
        }
        return LogHole(
            kind: Bool.random(using: &generator) ? .overwritten : .damaged, before: moment(), after: moment())
    }

    /// Times as the importer stores them: at most 2^52, and often at a limit.
    private func time(_ generator: inout SeededGenerator) -> UInt64 {
        switch Int.random(in: 0...4, using: &generator) {
        case 0: 0
        case 1: 1 << 52
        case 2: UInt64.random(in: 0...1 << 52, using: &generator)
        case 3: noon.milliseconds + UInt64.random(in: 0...1_000_000, using: &generator)
        default: UInt64.random(in: 0...10_000_000, using: &generator)
        }
    }
}
