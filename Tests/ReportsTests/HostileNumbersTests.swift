import Archive
import ArchiveTestSupport
import EncounterLog
import FixedMemory
import Foundation
import TestSupport
import Testing

@testable import Reports

/// A log may contain any numbers. They may make a report meaningless, but must not stop the program.
@Suite struct HostileNumbersTests {
    @Test(arguments: 0..<40 as Range<UInt64>)
    func `any history gives a report`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let boots = (0..<3).map { _ in boot(&generator) }
        let history = BoardHistory(board: SampleWorld.board, boots: boots)
        var model = SampleWorld.model()
        model.show(EncounterAssembly.encounters(of: history))
        model.periods = BoardPeriod.all(of: history)
        model.record = CoverageAssembly.timelines(of: history)
        model.coverage = model.record

        #expect(model.encounters.allSatisfy { $0.end >= $0.start }, "seed \(seed)")
        #expect(HTMLReport(model).html().hasSuffix("</html>\n"))
        #expect(try !EncounterDocument.json(model.encounters.map(\.summary)).isEmpty)
        #expect(!EncounterCSV.text(model.encounters).isEmpty)
        #expect(!CoverageCSV.text(model.coverage).isEmpty)
        #expect(try !CoverageDocument.json(model.coverage.map { CoverageDocument($0, name: nil) }).isEmpty)
    }

    private func boot(_ generator: inout SeededGenerator) -> BootHistory {
        let anchors = (0..<Int.random(in: 0...2, using: &generator)).map { _ in
            Anchor(
                instant: instant(&generator), wallClock: WallClockTime(milliseconds: time(&generator)),
                error: Interval(milliseconds: UInt64.random(in: 0...UInt64(UInt32.max), using: &generator)),
                source: nil)
        }
        let parameters = BootParameters(
            start: instant(&generator), softwareVersion: "255.255.255", sampleLength: 0,
            encounterTimeout: Interval(
                milliseconds: UInt64.random(in: 0...UInt64(UInt32.max), using: &generator)),
            lossWindow: 0,
            role: 9)
        return BootHistory(
            identifier: UInt64.random(in: 0...3, using: &generator), parameters: parameters, anchors: anchors,
            tracks: (0..<20).map { track($0, &generator) },
            coverage: (0..<4).map { _ in
                Coverage(
                    start: instant(&generator), end: instant(&generator),
                    reportCount: Int.random(in: 0...1, using: &generator) * Int(UInt32.max))
            },
            radioIncidents: (0..<3).map { _ in
                RadioIncident(
                    instant: instant(&generator),
                    event: RadioEvent(rawValue: UInt8.random(in: 0...5, using: &generator)),
                    fault: RadioFaultKind(rawValue: UInt8.random(in: 0...13, using: &generator)),
                    rung: RecoveryRung(rawValue: UInt8.random(in: 0...8, using: &generator)), detail: .max)
            })
    }

    private func track(_ number: UInt32, _ generator: inout SeededGenerator) -> RecordedTrack {
        let identifications = (0..<Int.random(in: 0...2, using: &generator)).map { _ in
            Identification(
                instant: instant(&generator),
                identity: Identity(
                    scheme: SchemeCode(rawValue: UInt8.random(in: 0...2, using: &generator)),
                    payload: generator.bytes(Int.random(in: 0...40, using: &generator))))
        }
        let samples = (0..<Int.random(in: 0...9, using: &generator)).map { _ in
            Sample(
                start: instant(&generator), end: instant(&generator),
                readingCount: Int.random(in: 0...65_535, using: &generator),
                minimumDBm: Int.random(in: -128...127, using: &generator),
                maximumDBm: Int.random(in: -128...127, using: &generator),
                meanDBm: Double.random(in: -3_276...3_276, using: &generator))
        }
        return RecordedTrack(
            number: number,
            firstSighting: Bool.random(using: &generator) ? instant(&generator) : nil,
            identifications: identifications, samples: samples,
            lastReading: Bool.random(using: &generator) ? instant(&generator) : nil,
            readingCount: Int(UInt32.max))
    }

    private func instant(_ generator: inout SeededGenerator) -> Instant {
        Instant(milliseconds: time(&generator))
    }

    /// Times as the importer stores them: at most 2^52, and often at a limit.
    private func time(_ generator: inout SeededGenerator) -> UInt64 {
        switch Int.random(in: 0...3, using: &generator) {
        case 0: 0
        case 1: 1 << 52
        case 2: UInt64.random(in: 0...1 << 52, using: &generator)
        default: UInt64.random(in: 0...10_000_000, using: &generator)
        }
    }
}
