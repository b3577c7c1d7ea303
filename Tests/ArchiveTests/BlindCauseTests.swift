import Archive
import EncounterLog
import FixedMemory
import Testing

@Suite struct BlindCauseTests {
    @Test func `the agent did not run from the last known moment to the next start`() {
        let blind = blind([
            .covering(1, anchoredAt: noon, [(0, 40_000, 5)]),
            .covering(2, anchoredAt: noon, start: 47_000, [(47_300, 60_000, 5)]),
        ])
        #expect(blind.map(\.cause) == [.notRunning(lossWindow: 30_000), .startingUp])
        #expect(blind.map(\.duration) == [7_000, 300])
        #expect(blind.map(\.boot) == [nil, 2])
    }

    @Test func `a radio fault has its rungs`() throws {
        var boot = BootHistory.covering(1, anchoredAt: noon, [(0, 10_000, 5), (24_000, 60_000, 5)])
        boot.radioIncidents = [
            .rung(16_000, .silence, .restartScan), .rung(20_000, .silence, .reset),
            RadioIncident(instant: 24_000, event: .recovered, fault: .silence, rung: .reset),
        ]
        let causes = blind([boot]).map(\.cause)
        guard case .radioFault(let episode)? = causes.first else {
            Issue.record("the cause is \(causes)")
            return
        }
        #expect(causes.count == 1)
        #expect(episode.faults == [.silence])
        #expect(episode.rungs == [.restartScan, .reset])
        #expect(episode.outcome == .recovered)
        #expect(episode.text == "all devices fell silent together; scan restarted, controller reset")
    }

    @Test func `a fault does not explain a blind time far from it`() {
        var boot = BootHistory.covering(
            1, anchoredAt: noon, [(0, 10_000, 5), (12_000, 60_000, 5), (62_000, 70_000, 5)])
        boot.radioIncidents = [
            .rung(11_000, .transport, .reopen),
            RadioIncident(instant: 12_000, event: .recovered, fault: .transport, rung: .reopen),
        ]
        #expect(blind([boot]).map(\.cause.name) == ["radioFault", "unknown"])
    }

    @Test func `an agent that gave up is distinguished from one that was off`() {
        var first = BootHistory.covering(1, anchoredAt: noon, [(0, 10_000, 5)])
        first.radioIncidents = [
            .rung(15_000, .transport, .reopen),
            RadioIncident(instant: 90_000, event: .gaveUp, fault: .transport, rung: .giveUp),
        ]
        let second = BootHistory.covering(2, anchoredAt: noon, start: 100_000, [(100_000, 110_000, 5)])
        let blind = blind([first, second])
        #expect(blind.map(\.cause.name) == ["radioFault", "notRunning"])
        #expect(blind.map(\.duration) == [80_000, 10_000])
        #expect(blind.first?.cause.text.hasSuffix("the agent gave up") == true)
    }

    @Test func `a radio that is dead at the end of the log is blind up to there`() {
        var boot = BootHistory.covering(1, anchoredAt: noon, [(0, 10_000, 5)])
        boot.radioIncidents = [.rung(15_000, .silence, .restartScan), .rung(25_000, .silence, .reset)]
        let blind = blind([boot])
        #expect(blind.map(\.cause.name) == ["radioFault"])
        #expect(blind.map(\.duration) == [15_000])
    }

    @Test func `overwritten segments explain the time that they covered`() {
        let hole = LogHole(
            kind: .overwritten, before: .init(boot: 1, instant: 10_000),
            after: .init(boot: 2, instant: 80_000))
        let boots: [BootHistory] = [
            .covering(1, anchoredAt: noon, [(0, 10_000, 5)]),
            .covering(2, anchoredAt: noon, start: nil, [(70_000, 80_000, 5), (85_000, 90_000, 5)]),
        ]
        #expect(blind(boots, holes: [hole]).map(\.cause) == [.logOverwritten, .unknown])
    }

    @Test func `a damaged page explains the time that it covered and nothing else`() {
        let hole = LogHole(
            kind: .damaged, before: .init(boot: 1, instant: 10_000),
            after: .init(boot: 1, instant: 30_000))
        let boot = BootHistory.covering(
            1, anchoredAt: noon, [(0, 10_000, 5), (20_000, 30_000, 5), (35_000, 40_000, 5)])
        #expect(blind([boot], holes: [hole]).map(\.cause) == [.logDamaged, .unknown])
    }

    @Test func `every cause has a name and a text of one line`() {
        let episode = RadioEpisode(
            start: 0, end: 0,
            faults: [.commandTimeout, RadioFaultKind(rawValue: 99)],
            rungs: [.reset, .reset, RecoveryRung(rawValue: 88)], detail: 0x200c, outcome: .recovered)
        let causes: [BlindCause] = [
            .radioFault(episode), .startingUp, .notRunning(lossWindow: nil),
            .notRunning(lossWindow: 30_000), .noClock(bootCount: 2), .logOverwritten, .logDamaged,
            .beforeRecord, .notFetched, .unknown,
        ]
        #expect(causes.allSatisfy { !$0.name.isEmpty && !$0.text.isEmpty && !$0.text.contains("\n") })
        #expect(
            episode.text
                == "the controller did not answer a command, fault 99 of a later version (command 0x200c); "
                + "2 × controller reset, recovery step 88 of a later version")
    }

    private func blind(_ boots: [BootHistory], holes: [LogHole] = []) -> [BlindInterval] {
        CoverageAssembly.timelines(of: BoardHistory(board: .test, boots: boots, holes: holes))
            .first?.blind ?? []
    }
}

@Suite struct RadioEpisodeCountTests {
    @Test func `an empty room is not a fault`() throws {
        var boot = BootHistory.covering(1, anchoredAt: noon, [(0, 90_000, 5)])
        boot.radioIncidents = [
            RadioIncident(instant: 30_000, event: .assumedEmpty, fault: .silence, rung: .none)
        ]
        #expect(try summary(boot).faultCount == 0)
    }

    @Test func `faults are counted by episode, and rungs by number`() throws {
        var boot = BootHistory.covering(1, anchoredAt: noon, [(0, 90_000, 5)])
        boot.radioIncidents = [
            .rung(1_000, .silence, .restartScan), .rung(2_000, .silence, .reset),
            RadioIncident(instant: 3_000, event: .recovered, fault: .silence, rung: .reset),
            .rung(4_000, .transport, .reopen),
        ]
        let summary = try summary(boot)
        #expect(summary.faultCount == 2)
        #expect(summary.rungs == [.restartScan, .reset, .reopen])
    }

    @Test func `a fault with a lost end does not swallow the next fault`() throws {
        var boot = BootHistory.covering(1, anchoredAt: noon, [(0, 9_000_000, 5)])
        boot.radioIncidents = [
            .rung(1_000, .silence, .restartScan), .rung(5_000_000, .silence, .restartScan),
        ]
        #expect(try summary(boot).faultCount == 2)
    }

    @Test func `unknown events alone are not a fault`() throws {
        var boot = BootHistory.covering(1, anchoredAt: noon, [(0, 90_000, 5)])
        boot.radioIncidents = [
            RadioIncident(
                instant: 30_000, event: RadioEvent(rawValue: 200), fault: .silence, rung: .none)
        ]
        #expect(try summary(boot).faultCount == 0)
    }

    private func summary(_ boot: BootHistory) throws -> CoverageSummary {
        let history = BoardHistory(board: .test, boots: [boot])
        return CoverageSummary(try #require(CoverageAssembly.timelines(of: history).first))
    }
}
