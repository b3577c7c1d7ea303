import EncounterLog
import FixedMemory
import HCI
import Radio
import Simulator
import TestSupport
import Testing

/// Boards that listen less while nobody is near (`radio.duty`).
@Suite struct ScanDutyTests {
    /// The scan parameters that the agent has sent, without repetitions: interval and window in slots.
    private func timings(toldTo controller: SimulatedController) -> [[UInt16]] {
        var told: [[UInt16]] = []
        for (command, bytes) in zip(controller.commands, controller.parameters)
        where command == .leSetScanParameters {
            let timing = [bytes.span.loadUInt16(at: 1), bytes.span.loadUInt16(at: 3)]
            if told.last != timing { told.append(timing) }
        }
        return told
    }

    /// The timings of the log's coverage, without repetitions.
    private func timings(in coverage: [CoverageEntry]) -> [[UInt16]] {
        var stated: [[UInt16]] = []
        for entry in coverage where entry.start < entry.end {
            let timing = [entry.timing?.intervalSlots ?? 0, entry.timing?.windowSlots ?? 0]
            if stated.last != timing { stated.append(timing) }
        }
        return stated
    }

    /// Nobody is near for a minute, then a phone for two, then again nobody.
    private func visit(_ options: String...) throws -> (told: [[UInt16]], coverage: [CoverageEntry]) {
        var scene = try Scene(options: options)
        scene.run(milliseconds: 60_000)
        scene.phones = [try ScriptedPhone(1)]
        scene.run(milliseconds: 120_000)
        scene.phones = []
        scene.run(milliseconds: 180_000)
        let told = timings(toldTo: scene.controller)
        scene.stop()
        return (told, scene.world.medium.entries.compactMap(\.coverage))
    }

    @Test(
        arguments: [
            ("balanced", [[480, 48], [96, 48], [480, 48]]), ("saver", [[960, 48], [240, 48], [960, 48]]),
        ] as [(String, [[UInt16]])])
    func `a board listens more while an identified phone is near, and its coverage says so`(
        _ duty: String, _ timings: [[UInt16]]
    ) throws {
        let (told, coverage) = try visit("radio.duty=\(duty)")
        #expect(told == timings)
        #expect(self.timings(in: coverage) == timings)
    }

    @Test func `figures of the board's own are used for both`() throws {
        let (told, _) = try visit(
            "radio.duty=custom", "radio.scan_interval_milliseconds=100", "radio.scan_window_milliseconds=40",
            "radio.quiet_scan_interval_milliseconds=1000", "radio.quiet_scan_window_milliseconds=25")
        #expect(told == [[1_600, 40], [160, 64], [1_600, 40]])
    }

    @Test func `without a duty the board always listens alike`() throws {
        let (told, coverage) = try visit()
        #expect(told == [[96, 80]])
        #expect(timings(in: coverage) == [[96, 80]])
    }

    @Test func `the change to a denser scan leaves no hole in the coverage`() throws {
        let (_, coverage) = try visit("radio.duty=saver")
        // After three minutes the phone leaves, which the board cannot tell from a deaf radio at first.
        let pieces = coverage.filter { $0.start < $0.end && $0.start < 180_000 }
        #expect(timings(in: pieces).count == 2)
        for (piece, next) in zip(pieces, pieces.dropFirst()) { #expect(next.start == piece.end) }
    }

    /// A sparse scan of three devices that nobody identifies, with a filter or without.
    @Test func `a duplicate filter in a sparse scan is found by a dense one`() throws {
        var scene = try Scene("radio.duty=saver")
        scene.phones = try (1...3 as ClosedRange<UInt64>).map { try ScriptedPhone($0, advert: [2, 1, 6]) }
        scene.run(milliseconds: 60_000)
        scene.controller.faults.begin(.duplicateFilter, cure: .reset)
        scene.controller.faults.endAll()
        #expect(scene.controller.faults.has(.duplicateFilter))
        scene.run(milliseconds: 300_000)
        #expect(!scene.controller.faults.has(.duplicateFilter))
        #expect(scene.radioStatus.rungs.restartScan > 0)
        #expect(timings(toldTo: scene.controller).contains([96, 80]))
    }
}
