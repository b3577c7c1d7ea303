import Agent
import EncounterLog
import FixedMemory
import HCI
import Simulator
import TestSupport
import Testing

/// Tests that an empty room is not a fault, and that a dead radio does not count as an empty room.
@Suite struct EmptyRoomTests {
    @Test func `a controller that stops answering is detected in an empty room`() throws {
        var scene = try Scene()
        scene.world.isPowerSwitchable = true
        scene.run(milliseconds: 100_000)
        scene.controller.faults.begin(.commandTimeout, cure: .powerCycle)
        let died = scene.world.now
        scene.run(milliseconds: 30_000)
        #expect(scene.world.hasCommandTimeout)
        scene.run(milliseconds: 60_000)
        scene.controller.faults.endAll()
        scene.run(milliseconds: 60_000)
        #expect(scene.controller.isScanning && scene.controller.isAdvertising)
        let revived = scene.world.now
        scene.run(milliseconds: 20_000)
        scene.stop()
        let coverage = scene.world.medium.entries.compactMap(\.coverage)
        #expect(
            coverage.filter { $0.start < died + 90_000 && $0.end > died + 50 }.isEmpty
        )
        #expect(coverage.contains { $0.end + 10_000 >= died && $0.end <= died + 50 })
        #expect(coverage.contains { $0.start <= revived && $0.end >= revived })
        checkCoverage(coverage, reports: 0)
    }

    /// `make sim-faults` has a week of it.
    @Test func `no recovery is attempted in an empty room`() throws {
        var scene = try Scene()
        let hours: UInt64 = 8
        scene.run(milliseconds: hours * 3_600_000)
        let commands = scene.controller.commands
        #expect(commands.filter { $0 == .reset }.count == 1)
        // The normal round restarts the scan regularly: one stop and one start each.
        let renewals = commands.filter { $0 == .leSetScanEnable }.count / 2
        #expect(renewals > hours * 60 && scene.controller.isScanning)
        #expect(scene.radioStatus.rungs.total == 0)
        #expect(scene.world.radioHistory.isEmpty)
        #expect(scene.world.faults.isEmpty)
        scene.stop()
        // The oldest coverage has been overwritten; the rest has no coverage gap.
        let coverage = scene.world.medium.entries.compactMap(\.coverage)
        #expect(scene.world.medium.entries.compactMap(\.radio).isEmpty)
        checkCoverage(coverage, reports: 0)
        let oldest = try #require(coverage.first)
        let covered = coverage.reduce(.zero) { $0 + ($1.end - $1.start) }
        #expect(covered == (coverage.last?.end ?? 0) - oldest.start)
        #expect((coverage.last?.end ?? 0) + 10_100 >= scene.world.now)
    }

    /// The agent cannot detect this fault, because it hears nothing before or after. The regular restarts of
    /// the
    /// scan cure it all the same.
    @Test func `a scan that went deaf in an empty room hears the next phone`() throws {
        var scene = try Scene()
        scene.run(milliseconds: 100_000)
        scene.controller.faults.begin(.silence, cure: .scanRestart)
        scene.run(milliseconds: 3_600_000)
        scene.phones = [try ScriptedPhone(1, advert: [2, 1, 6])]
        scene.controller.faults.endAll()
        scene.run(milliseconds: 60_000)
        #expect(scene.controller.truth.goodReportsTaken > 0)
        #expect(scene.radioStatus.rungs.total == 0)
    }

    @Test func `resets check an assumed empty room, ever more rarely`() throws {
        var scene = try Scene()
        scene.phones = [try ScriptedPhone(1, advert: [2, 1, 6])]
        scene.run(milliseconds: 40_000)
        scene.controller.faults.begin(.silence, cure: .reset)
        scene.run(milliseconds: 600_000)
        #expect(scene.radioStatus.state == .quiet)
        let resets = scene.radioStatus.rungs.reset
        scene.run(milliseconds: 900_000 + 1_800_000 + 60_000)
        #expect(scene.radioStatus.state == .quiet)
        #expect(scene.radioStatus.rungs.reset == resets + 2)
        scene.controller.faults.endAll()
        scene.run(milliseconds: 3_600_000)
        #expect(scene.radioStatus.rungs.reset == resets + 3)
        #expect(!scene.controller.faults.isAny && scene.radioStatus.state == .up)
        scene.stop()
        let quiet = scene.world.medium.entries.compactMap(\.radio).filter { $0.event == .assumedEmpty }
        #expect(quiet.count == 4 && quiet.dropFirst().allSatisfy { $0.rung == .reset })
    }

    @Test func `after a hardware error, a room assumed to be empty still counts as empty`() throws {
        var scene = try Scene()
        scene.phones = [try ScriptedPhone(1, advert: [2, 1, 6])]
        scene.run(milliseconds: 40_000)
        scene.controller.faults.begin(.silence)
        scene.run(milliseconds: 600_000)
        scene.controller.injectEvent(0x10, [3])
        scene.run(milliseconds: 60_000)
        #expect(scene.radioStatus.lastFault == .hardwareError)
        #expect(scene.radioStatus.state == .quiet)
    }

    /// The phone may well have gone, so the agent cycles power only a few times. After some minutes it
    /// assumes
    /// that the room is empty.
    @Test func `the only phone's sudden silence leads to recovery attempts for some minutes`() throws {
        var scene = try Scene()
        scene.world.isPowerSwitchable = true
        let phone = try ScriptedPhone(1, advert: [2, 1, 6])
        scene.phones = [phone]
        scene.run(milliseconds: 60_000)
        phone.isAway = true
        let left = scene.world.now
        scene.run(milliseconds: 360_000)
        #expect(scene.radioStatus.state == .quiet)
        let rungs = scene.radioStatus.rungs
        #expect((1...6).contains(rungs.powerCycle) && rungs.reopen == 1 && rungs.reset == 1)
        scene.run(milliseconds: 600_000)
        #expect(scene.radioStatus.rungs == rungs)
        phone.isAway = false
        scene.run(milliseconds: 5_000)
        #expect(scene.radioStatus.state == .up)
        scene.stop()
        let entries = scene.world.medium.entries
        #expect(
            entries.compactMap(\.radio).map(\.event) == [
                .rungTaken, .rungTaken, .rungTaken, .rungTaken, .rungTaken, .assumedEmpty,
            ])
        let quiet = try #require(entries.compactMap(\.radio).last?.instant)
        #expect((left + 300_000...left + 345_000).contains(quiet))
        let coverage = entries.compactMap(\.coverage)
        #expect(!coverage.contains { $0.start < quiet && $0.end > left + 100 })
        #expect(coverage.contains { $0.start <= quiet + 11_000 && $0.end > quiet })
        checkCoverage(coverage, reports: Int(scene.controller.truth.reportsTaken))
    }

    @Test func `a room that empties slowly is no fault`() throws {
        var scene = try crowdedScene()
        for phone in scene.phones {
            // A phone that goes away is heard more and more rarely.
            phone.every = 2_000
            scene.run(milliseconds: 20_000)
            phone.every = 10_000
            scene.run(milliseconds: 20_000)
            phone.isAway = true
        }
        scene.run(milliseconds: 120_000)
        #expect(scene.radioStatus.rungs.total == 0)
        #expect(scene.radioStatus.state == .up)
    }
}
