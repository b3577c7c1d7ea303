import Agent
import EncounterLog
import FixedMemory
import HCI
import Simulator
import Testing

/// Tests that radio faults are found, mended and reported, as docs/radio-supervisor.md specifies.
@Suite struct SupervisorTests {
    @Test(arguments: FaultCure.allCases.filter { $0 != .byItself })
    func `every cure is applied within a minute after the fault's cause ends`(_ cure: FaultCure) throws {
        var scene = try crowdedScene()
        scene.world.isPowerSwitchable = true
        for pause in [20_000, 47_000, 131_000] as [UInt64] {
            scene.controller.faults.begin(.silence, cure: cure)
            scene.run(milliseconds: pause)
            scene.controller.faults.endAll()
            let heard = scene.controller.truth.goodReportsTaken
            scene.run(milliseconds: 60_000)
            #expect(scene.controller.truth.goodReportsTaken > heard)
            scene.run(milliseconds: 45_000)
        }
    }

    @Test func `the agent climbs the whole ladder for a single phone too`() throws {
        var scene = try Scene(options: [])
        scene.world.isPowerSwitchable = true
        scene.phones = [try ScriptedPhone(0, advert: [2, 1, 6])]
        scene.run(milliseconds: 40_000)
        scene.controller.faults.begin(.silence, cure: .powerCycle)
        scene.run(milliseconds: 70_000)
        #expect(scene.radioStatus.rungs.powerCycle > 0)

        scene.controller.faults.endAll()
        scene.run(milliseconds: 60_000)
        #expect(!scene.controller.faults.isAny)
        #expect(scene.controller.truth.goodReportsTaken > 0)
    }

    @Test func `the agent climbs the whole ladder in order`() throws {
        var scene = try crowdedScene()
        scene.world.isPowerSwitchable = true
        scene.world.radioHistory = []
        scene.controller.faults.begin(.silence)
        scene.run(milliseconds: 60_000)
        scene.stop()
        let rungs = scene.world.medium.entries.compactMap(\.radio).map(\.rung)
        #expect(rungs == [.restartScan, .restartRoles, .reset, .reopen, .powerCycle])
        #expect(scene.world.radioHistory.prefix(6) == ["close", "open", "close", "off", "on", "open"])
    }

    @Test func `the first two rungs restart scanning and advertising without a reset`() throws {
        var scene = try crowdedScene()
        let count = scene.controller.commands.count
        scene.controller.faults.begin(.emptyReports)
        scene.run { $0.hasTaken(.restartScan) }
        scene.run(milliseconds: 100)
        #expect(
            scene.controller.commands[count...].filter {
                $0 != .leSetAdvertisingEnable && $0 != .readDeviceAddress
            } == [
                .leSetScanEnable, .leSetScanParameters, .leSetScanEnable, .leSetScanParameters,
            ])
        scene.run { $0.hasTaken(.restartRoles) }
        scene.run(milliseconds: 100)
        #expect(scene.controller.isScanning && scene.controller.isAdvertising)
        #expect(!scene.controller.commands[count...].contains(.reset))
    }

    @Test func `a refused scan is reported, and restarts once the controller allows it`() throws {
        var scene = try crowdedScene()
        scene.script.set(.refuse(.commandDisallowed), to: .leSetScanEnable)
        scene.script.set(.refuse(.commandDisallowed), to: .leSetScanParameters)
        scene.world.forceConnect(from: try ScriptedPhone(9))
        scene.run(milliseconds: 30_000)
        #expect(scene.radioStatus.lastFault == .refusedRole)
        #expect(scene.radioStatus.rungs.restartRoles > 0)
        scene.script.endAll()
        scene.run(milliseconds: 60_000)
        #expect(scene.controller.isScanning && scene.controller.isAdvertising)
        #expect(scene.radioStatus.state == .up)
    }

    @Test func `a garbled stream leads to a reset`() throws {
        var scene = try crowdedScene()
        for _ in 0..<60 {
            // No event has this code.
            scene.controller.inject([0x04, 0xee] + [UInt8](repeating: 0xff, count: 78))
            scene.run(milliseconds: 500)
        }
        #expect(scene.world.hasNotice(.radio(.recovery(.garbledStream, .reset))))
        #expect(scene.radioStatus.lastFault == .garbledStream)
        let resets = scene.radioStatus.rungs.reset
        scene.run(milliseconds: 60_000)
        #expect(scene.radioStatus.rungs.reset == resets)
        #expect(scene.radioStatus.state == .up)
    }

    @Test func `a few stray bytes are no fault`() throws {
        var scene = try crowdedScene()
        for _ in 0..<20 {
            scene.controller.inject([UInt8](repeating: 0xff, count: 30))
            scene.run(milliseconds: 1_000)
        }
        #expect(scene.radioStatus.rungs.total == 0)
    }

    @Test func `the agent gives up a radio that stays unusable for the configured time`() throws {
        var scene = try Scene("radio.give_up_minutes=2")
        scene.run(milliseconds: 5_000)
        scene.controller.faults.begin(.vanishedAdapter)
        scene.run(milliseconds: 110_000)
        #expect(scene.ending == nil)
        scene.run(milliseconds: 20_000)
        #expect(scene.ending == .radioLost)
        #expect(scene.radioStatus.state == .lost)
        #expect(scene.world.hasTaken(.giveUp))
        let last = try #require(scene.world.medium.entries.compactMap(\.radio).last)
        #expect(last.event == .gaveUp && last.rung == .giveUp && last.fault == .transport)
    }

    /// The agent closed the transport for a suspected fault. A transport that does not open again is a
    /// certain one.
    @Test func `a radio that vanishes while it is reopened is given up`() throws {
        var scene = try crowdedScene("radio.give_up_minutes=2")
        scene.controller.faults.begin(.silence)
        scene.run { $0.radioHistory.last == "close" }
        scene.controller.faults.begin(.vanishedAdapter)
        scene.run(milliseconds: 115_000)
        #expect(scene.ending == nil)
        scene.run(milliseconds: 10_000)
        #expect(scene.ending == .radioLost)
        let last = try #require(scene.world.medium.entries.compactMap(\.radio).last)
        #expect(last.event == .gaveUp && last.fault == .transport)
    }

    /// The controller fails after the highest rung. The agent takes that rung again, because there is none
    /// above.
    @Test func `a fault after the highest rung repeats that rung`() throws {
        var scene = try crowdedScene()
        scene.world.isPowerSwitchable = true
        scene.controller.faults.begin(.silence)
        scene.run { $0.radioHistory.contains("on") && $0.radioHistory.last == "open" }
        scene.controller.faults.begin(.vanishedAdapter)
        scene.run(milliseconds: 20_000)
        #expect(scene.world.radioHistory.count { $0 == "off" } == 2)
        scene.stop()
        #expect(!scene.world.medium.entries.compactMap(\.radio).contains { $0.rung == .giveUp })
    }

    @Test func `with zero minutes configured the agent never gives up`() throws {
        var scene = try Scene("radio.give_up_minutes=0")
        scene.controller.faults.begin(.vanishedAdapter)
        scene.run(milliseconds: 3_600_000)
        #expect(scene.ending == nil)
        // The log has each rung once, however long the fault lasts.
        scene.stop()
        #expect(scene.world.medium.entries.compactMap(\.radio).count <= 3)
    }

    @Test func `a suspected fault never leads to giving up`() throws {
        var scene = try crowdedScene("radio.give_up_minutes=1")
        scene.controller.faults.begin(.emptyReports)
        scene.run(milliseconds: 1_200_000)
        #expect(scene.ending == nil)
        #expect(scene.radioStatus.state == .quiet)
    }

    @Test func `power is restored if the agent stops during a power cycle`() throws {
        var scene = try crowdedScene()
        scene.world.isPowerSwitchable = true
        scene.controller.faults.begin(.silence)
        scene.run { $0.radioHistory.last == "off" }
        scene.stop()
        #expect(scene.world.radioHistory.suffix(2) == ["off", "on"])
    }
}

/// Makes a scene with four phones that stay, each with four adverts a second.
func crowdedScene(_ options: String...) throws -> Scene {
    var scene = try Scene(options: options)
    scene.phones = try (0..<4 as Range<UInt64>).map { try ScriptedPhone($0, advert: [2, 1, 6]) }
    scene.run(milliseconds: 40_000)
    #expect(scene.radioStatus.state == .up)
    return scene
}

extension [CoverageEntry] {
    /// The sum of the entries' lengths.
    var coveredTime: Interval { reduce(.zero) { $0 + ($1.end - $1.start) } }
}

/// Checks that coverage entries do not overlap, and that together they count all reports.
func checkCoverage(_ coverage: [CoverageEntry], reports: Int) {
    #expect(coverage.reduce(0) { $0 + Int($1.reports) } == reports)
    for (earlier, later) in zip(coverage, coverage.dropFirst()) {
        #expect(earlier.start <= earlier.end)
        #expect(earlier.end <= later.start)
    }
}
