import Agent
import EncounterLog
import Testing

@testable import Radio

/// Tests that scan faults are found, mended and logged, as docs/radio-supervisor.md specifies.
@Suite struct ScanFaultTests {
    private static func kind(_ fault: TestController.AirFault) -> RadioFaultKind {
        switch fault {
        case .silence: .silence
        case .emptyReports, .unknownRSSI: .emptyReports
        case .duplicatesFiltered, .scanResponses, .extendedReports: .wrongScanMode
        }
    }

    /// The result of a scan fault that lasted two minutes, with four phones around.
    private struct Episode {
        let beganMilliseconds: UInt64
        let causeEndedMilliseconds: UInt64
        /// The time of the first good report after the cause had ended.
        let mendedMilliseconds: UInt64
        /// The state 40 s after ``mendedMilliseconds``.
        let state: RadioStatus.State
        let reportsTaken: Int
        let entries: [LogEntry]

        var coverage: [CoverageEntry] { entries.compactMap(\.coverage) }
    }

    private func episode(of fault: TestController.AirFault) throws -> Episode {
        var scene = try crowdedScene()
        let began = scene.world.now
        scene.controller.fault = fault
        scene.run(milliseconds: 120_000, tick: 50)
        scene.controller.hasCause = false
        let ended = scene.world.now
        let heard = scene.controller.goodReportCount
        while scene.controller.goodReportCount == heard, scene.world.now < ended + 120_000 {
            scene.run(milliseconds: 50, tick: 50)
        }
        let mended = scene.world.now
        scene.run(milliseconds: 40_000, tick: 50)
        let state = scene.radioStatus.state
        scene.stop()
        return Episode(
            beganMilliseconds: began, causeEndedMilliseconds: ended, mendedMilliseconds: mended, state: state,
            reportsTaken: scene.world.reportsTaken, entries: scene.world.medium.entries)
    }

    @Test(arguments: TestController.AirFault.allCases)
    func aFaultOfTheScanIsDoubtedAndTheLadderClimbed(_ fault: TestController.AirFault) throws {
        var scene = try crowdedScene()
        scene.controller.fault = fault
        scene.run(milliseconds: 30_000, tick: 50)
        #expect(scene.world.hasSuspectedFault)
        #expect(scene.radioStatus.rungs.restartScan > 0)
        scene.run(milliseconds: 90_000, tick: 50)
        #expect(scene.radioStatus.rungs.reopen > 0)
    }

    @Test(arguments: TestController.AirFault.allCases)
    func aFaultOfTheScanIsMendedWithinAMinuteOfItsEnd(_ fault: TestController.AirFault) throws {
        let episode = try episode(of: fault)
        #expect(episode.mendedMilliseconds < episode.causeEndedMilliseconds + 60_000)
        #expect(episode.state == .up)
    }

    @Test(arguments: TestController.AirFault.allCases)
    func theLogTellsOfAFaultOfTheScanAndOfItsEnd(_ fault: TestController.AirFault) throws {
        let episode = try episode(of: fault)
        let radio = episode.entries.compactMap(\.radio)
        #expect(radio.contains { $0.fault == Self.kind(fault) && $0.event == .rungTaken })
        #expect(radio.first?.rung == .restartScan)
        let recovered = try #require(radio.last)
        #expect(recovered.event == .recovered)
        let mended = episode.mendedMilliseconds
        #expect((mended - 250...mended + 250).contains(recovered.monotonicMilliseconds))
    }

    @Test(arguments: TestController.AirFault.allCases)
    func allReportsAreCoveredOnceWhateverIsWrongWithTheScan(_ fault: TestController.AirFault) throws {
        let episode = try episode(of: fault)
        checkCoverage(episode.coverage, reports: episode.reportsTaken)
    }

    /// An active scan and a duplicate filter are absent here: the board still hears each phone under them.
    @Test(arguments: [.silence, .emptyReports, .unknownRSSI, .extendedReports] as [TestController.AirFault])
    func coverageEndsWhereAFaultOfTheScanBlindsAndBeginsWhereItIsMended(
        _ fault: TestController.AirFault
    ) throws {
        let episode = try episode(of: fault)
        let (began, mended) = (episode.beganMilliseconds, episode.mendedMilliseconds)
        let blind = episode.coverage.filter {
            $0.startMilliseconds < mended - 250 && $0.endMilliseconds > began + 250
        }
        #expect(blind.isEmpty)
        let last = try #require(episode.coverage.last { $0.endMilliseconds <= began + 250 })
        #expect(last.endMilliseconds >= began - 250)
        let next = try #require(
            episode.coverage.first {
                $0.startMilliseconds > began + 250 && $0.endMilliseconds > $0.startMilliseconds
            })
        #expect(next.startMilliseconds <= mended + 250)
    }
}
