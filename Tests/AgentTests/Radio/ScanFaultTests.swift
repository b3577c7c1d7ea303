import Agent
import EncounterLog
import FixedMemory
import Simulator
import Testing

@testable import Radio

/// Tests that scan faults are found, mended and logged, as docs/radio-supervisor.md specifies.
@Suite struct ScanFaultTests {
    private static let faults: [ControllerFault] = [
        .silence, .emptyReports, .duplicateFilter, .scanResponses, .extendedReports, .unknownRSSI,
    ]

    private static func kind(_ fault: ControllerFault) -> RadioFaultKind {
        switch fault {
        case .silence: .scanStopped
        case .emptyReports, .unknownRSSI: .emptyReports
        default: .wrongScanMode
        }
    }

    /// The result of a scan fault that lasted two minutes, with four phones around.
    private struct Episode {
        let began: Instant
        let causeEnded: Instant
        /// The time of the first good report after the cause had ended.
        let mended: Instant
        /// The state 40 s after ``mended``.
        let state: RadioStatus.State
        let reportsTaken: Int
        let entries: [LogEntry]

        var coverage: [CoverageEntry] { entries.compactMap(\.coverage) }
    }

    private func episode(of fault: ControllerFault) throws -> Episode {
        var scene = try crowdedScene()
        let began = scene.world.now
        scene.controller.faults.begin(fault)
        scene.run(milliseconds: 120_000)
        scene.controller.faults.endAll()
        let ended = scene.world.now
        var heard = scene.controller.truth.goodReportsTaken
        while scene.controller.truth.goodReportsTaken == heard, scene.world.now < ended + 120_000 {
            scene.run(milliseconds: 50)
            if scene.controller.faults.isAny { heard = scene.controller.truth.goodReportsTaken }
        }
        let mended = scene.world.now
        scene.run(milliseconds: 40_000)
        let state = scene.radioStatus.state
        scene.stop()
        return Episode(
            began: began, causeEnded: ended, mended: mended, state: state,
            reportsTaken: Int(scene.controller.truth.reportsTaken), entries: scene.world.medium.entries)
    }

    @Test(arguments: Self.faults)
    func `a scan fault is suspected, and the agent climbs the recovery ladder`(_ fault: ControllerFault)
        throws
    {
        var scene = try crowdedScene()
        scene.controller.faults.begin(fault)
        scene.run(milliseconds: 30_000)
        #expect(scene.world.hasSuspectedFault)
        #expect(scene.radioStatus.rungs.restartScan > 0)
        scene.run(milliseconds: 90_000)
        #expect(scene.radioStatus.rungs.reopen > 0)
    }

    @Test(arguments: Self.faults)
    func `a scan fault is repaired within a minute after its cause ends`(_ fault: ControllerFault) throws {
        let episode = try episode(of: fault)
        #expect(episode.mended < episode.causeEnded + 60_000)
        #expect(episode.state == .up)
    }

    @Test(arguments: Self.faults)
    func `the log records a scan fault and its recovery`(_ fault: ControllerFault) throws {
        let episode = try episode(of: fault)
        let radio = episode.entries.compactMap(\.radio)
        #expect(radio.contains { $0.fault == Self.kind(fault) && $0.event == .rungTaken })
        #expect(radio.first?.rung == .restartScan)
        let recovered = try #require(radio.last)
        #expect(recovered.event == .recovered)
        let mended = episode.mended
        #expect((mended - 250...mended + 250).contains(recovered.instant))
    }

    @Test(arguments: Self.faults)
    func `coverage counts each report once under every scan fault`(_ fault: ControllerFault) throws {
        let episode = try episode(of: fault)
        checkCoverage(episode.coverage, reports: episode.reportsTaken)
    }

    /// An active scan and a duplicate filter are absent here: the board still hears each phone under them.
    @Test(arguments: [.silence, .emptyReports, .unknownRSSI, .extendedReports] as [ControllerFault])
    func `coverage ends when a scan fault blinds the board, and begins when it is repaired`(
        _ fault: ControllerFault
    ) throws {
        let episode = try episode(of: fault)
        let (began, mended) = (episode.began, episode.mended)
        let blind = episode.coverage.filter {
            $0.start < mended - 250 && $0.end > began + 250
        }
        #expect(blind.isEmpty)
        let last = try #require(episode.coverage.last { $0.end <= began + 250 })
        #expect(last.end >= began - 250)
        let next = try #require(
            episode.coverage.first {
                $0.start > began + 250 && $0.end > $0.start
            })
        #expect(next.start <= mended + 250)
    }

    /// No rung helps for a quarter of an hour, so the agent assumes that the room is empty. It hears the
    /// devices once with each renewal of the scan.
    @Test func `a filter that was taken for an empty room is suspected again`() throws {
        var scene = try crowdedScene()
        scene.controller.faults.begin(.duplicateFilter)
        for _ in 0..<20 where !scene.world.hasNotice(.radio(.emptyRoomAssumed)) {
            scene.run(milliseconds: 60_000)
        }
        #expect(scene.world.hasNotice(.radio(.emptyRoomAssumed)))
        let rungs = scene.radioStatus.rungs.restartScan
        scene.run(milliseconds: 600_000)
        #expect(scene.radioStatus.rungs.restartScan > rungs)
    }

    /// The roles take turns from the moment when the board knows the time, so the scan starts again several
    /// times a second and nothing shows a filter.
    @Test func `a duplicate filter is over when the slots of Exposure Notification begin`() throws {
        var scene = try crowdedScene("agent.role=wearable", "schemes.exposure_notification=on")
        scene.controller.faults.begin(.duplicateFilter)
        scene.run { $0.board.radioStatus?.state == .recovering }
        scene.world.wallOffset = 1_790_000_000_000
        scene.run(milliseconds: 20_000)
        scene.controller.faults.endAll()
        scene.run(milliseconds: 60_000)
        #expect(scene.radioStatus.state == .up)
    }

    /// Each connection starts the scan again, and every phone is heard once more.
    @Test func `a burst of connections does not end the suspicion of a duplicate filter`() throws {
        var scene = try Scene()
        scene.phones = try (0..<15 as Range<UInt64>).map { try ScriptedPhone($0, advert: [2, 1, 6]) }
        scene.run(milliseconds: 40_000)
        scene.controller.faults.begin(.duplicateFilter, cure: .reset)
        scene.controller.faults.endAll()
        scene.run { $0.board.radioStatus?.state == .recovering }
        for phone in scene.phones where scene.controller.faults.isAny {
            if scene.world.connect(phone) { phone.hangUp() }
            scene.run(milliseconds: 1_000)
        }
        #expect(!scene.controller.faults.isAny)
        scene.run(milliseconds: 60_000)
        #expect(scene.radioStatus.state == .up && scene.radioStatus.rungs.total == 3)
    }
}
