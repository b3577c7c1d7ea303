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

    /// Runs a scene in which the controller reports adverts, but answers no command for 40 s, and then has a
    /// mute scan. `appearance` shows the phones to it meanwhile.
    /// - Returns: when it failed, and the coverage in the log.
    private func failure(
        phonesAre appearance: (inout Scene, [ScriptedPhone]) -> Void
    ) throws -> (failed: Instant, entries: [LogEntry]) {
        var scene = try Scene("radio.give_up_minutes=0", in: BoardWorld(transport: .stream))
        scene.run(milliseconds: 60_000)
        scene.controller.faults.begin(.commandTimeout, cure: .reset)
        scene.run { $0.hasCommandTimeout }
        let failed = scene.world.now
        appearance(&scene, try (0..<4 as Range<UInt64>).map { try ScriptedPhone($0, advert: [2, 1, 6]) })
        scene.controller.faults.begin(.muteScan, cure: .powerCycle)
        scene.controller.faults.end(.commandTimeout)
        for _ in 0..<10 where scene.controller.faults.has(.commandTimeout) { scene.run(milliseconds: 10_000) }
        scene.run(milliseconds: 30_000)
        #expect(!scene.controller.faults.has(.commandTimeout) && scene.controller.isScanning)
        scene.stop()
        return (failed, scene.world.medium.entries)
    }

    @Test func `peers heard while no command is answered are expected after the reset`() throws {
        let (failed, entries) = try failure { scene, phones in
            scene.phones = phones
            scene.run(milliseconds: 40_000)
        }
        let coverage = entries.compactMap(\.coverage).filter { $0.end > $0.start }
        #expect(coverage.coveredTime > 50_000)
        #expect(coverage.allSatisfy { $0.end <= failed })
    }

    @Test func `passers-by while no command is answered are not expected after the reset`() throws {
        let (failed, entries) = try failure { scene, phones in
            for _ in 0..<25 {
                scene.phones = phones
                scene.run(milliseconds: 1_000)
                scene.phones = []
                scene.run(milliseconds: 59_000)
            }
        }
        #expect(entries.compactMap(\.coverage).contains { $0.start > failed && $0.end > $0.start })
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
        let covered = coverage.coveredTime
        #expect(covered == (coverage.last?.end ?? 0) - oldest.start)
        #expect((coverage.last?.end ?? 0) + 10_100 >= scene.world.now)
    }

    /// The agent cannot detect this fault, because it hears nothing before or after. The regular renewals of
    /// the scan cure it all the same.
    @Test func `a mute scan in an empty room hears the next phone`() throws {
        var scene = try Scene()
        scene.run(milliseconds: 100_000)
        scene.controller.faults.begin(.muteScan, cure: .scanRestart)
        scene.run(milliseconds: 3_600_000)
        scene.phones = [try ScriptedPhone(1, advert: [2, 1, 6])]
        scene.controller.faults.endAll()
        scene.run(milliseconds: 30_000)
        #expect(scene.controller.truth.goodReportsTaken > 0)
        #expect(scene.radioStatus.rungs.total == 0)
    }

    @Test func `a scan that the controller has lost in an empty room is found and is not covered`() throws {
        var scene = try Scene()
        scene.run(milliseconds: 100_000)
        scene.controller.faults.begin(.silence, cure: .reset)
        let began = scene.world.now
        scene.run(milliseconds: 600_000)
        #expect(scene.radioStatus.lastFault == .scanStopped)
        scene.controller.faults.endAll()
        let ended = scene.world.now
        scene.run(milliseconds: 60_000)
        #expect(scene.radioStatus.state == .up)
        scene.stop()
        let coverage = scene.world.medium.entries.compactMap(\.coverage)
        #expect(!coverage.contains { $0.start < ended && $0.end > began })
        #expect(coverage.contains { $0.start < ended + 40_000 && $0.end > ended })
    }

    @Test func `a controller that forgets everything in an empty room is told again within half a minute`()
        throws
    {
        var scene = try Scene()
        scene.run(milliseconds: 100_000)
        scene.controller.faults.begin(.amnesia)
        scene.controller.faults.endAll()
        let forgot = scene.world.now
        #expect(!scene.controller.isScanning)
        scene.run(milliseconds: 30_000)
        #expect(scene.controller.isScanning && scene.controller.isAdvertising)
        #expect(scene.radioStatus.rungs.total == 0)
        scene.phones = [try ScriptedPhone(1, advert: [2, 1, 6])]
        scene.run(milliseconds: 5_000)
        #expect(scene.controller.truth.goodReportsTaken > 0)
        scene.stop()
        let coverage = scene.world.medium.entries.compactMap(\.coverage)
        #expect(coverage.filter { $0.start <= forgot }.allSatisfy { $0.end <= forgot })
        #expect(coverage.contains { $0.start > forgot && $0.start < forgot + 30_000 })
    }

    /// The board cannot know whether the phone has left or its own scan is deaf.
    @Test func `after a departure the controller is reset once, and then every four hours`() throws {
        var scene = try Scene()
        scene.phones = [try ScriptedPhone(1, advert: [2, 1, 6])]
        scene.run(milliseconds: 40_000)
        scene.controller.faults.begin(.muteScan, cure: .reset)
        scene.run(milliseconds: 60_000)
        #expect(scene.radioStatus.state == .quiet && scene.radioStatus.rungs.total == 1)
        scene.run(milliseconds: 14_300_000)
        #expect(scene.radioStatus.rungs.total == 1)
        scene.run(milliseconds: 100_000)
        #expect(scene.radioStatus.rungs.total == 2 && scene.radioStatus.rungs.reset == 2)
        scene.controller.faults.endAll()
        scene.run(milliseconds: 14_460_000)
        #expect(!scene.controller.faults.isAny && scene.radioStatus.state == .up)
        #expect(scene.radioStatus.rungs.total == 3)
        scene.stop()
        let radio = scene.world.medium.entries.compactMap(\.radio)
        #expect(radio.count == 3)
        #expect(radio.allSatisfy { $0.event == .assumedEmpty && $0.fault == .silence && $0.rung == .reset })
    }

    @Test func `after a hardware error, a room assumed to be empty still counts as empty`() throws {
        var scene = try Scene()
        scene.phones = [try ScriptedPhone(1, advert: [2, 1, 6])]
        scene.run(milliseconds: 40_000)
        scene.controller.faults.begin(.muteScan)
        scene.run(milliseconds: 600_000)
        scene.controller.injectEvent(0x10, [3])
        scene.run(milliseconds: 60_000)
        #expect(scene.radioStatus.lastFault == .hardwareError)
        #expect(scene.radioStatus.state == .quiet)
    }

    @Test(arguments: [1, 2, 3, 5, 8, 12] as [UInt64])
    func `a group that leaves at once is no fault, and costs at most 30 s of coverage`(count: UInt64) throws {
        var scene = try Scene()
        let start = scene.world.now
        scene.world.isPowerSwitchable = true
        let phones = try (0..<count).map { try ScriptedPhone($0, advert: [2, 1, 6]) }
        scene.phones = phones
        scene.run(milliseconds: 60_000)
        for phone in phones { phone.isAway = true }
        let left = scene.world.now
        scene.run(milliseconds: 600_000)
        #expect(scene.radioStatus.lastFault == nil && scene.world.faults.isEmpty)
        #expect(scene.radioStatus.rungs.total == 1 && scene.radioStatus.rungs.reset == 1)
        for phone in phones { phone.isAway = false }
        scene.run(milliseconds: 5_000)
        #expect(scene.radioStatus.state == .up)
        let end = scene.world.now
        scene.stop()
        let coverage = scene.world.medium.entries.compactMap(\.coverage)
        #expect(coverage.contains { $0.start < left + 30_000 && $0.end > left + 30_000 })
        let covered = coverage.coveredTime
        #expect(covered + 31_000 >= end - start)
        checkCoverage(coverage, reports: Int(scene.controller.truth.reportsTaken))
    }

    /// As three devices that send seldom, heard just before they leave.
    @Test func `three near senders heard once each, and then nobody, are no fault`() throws {
        var scene = try Scene()
        let start = scene.world.now
        scene.run(milliseconds: 100_000)
        for sender in 1...3 as ClosedRange<UInt8> {
            scene.controller.injectEvent(
                0x3e,
                [UInt8](hex: "02 01 03 01") + [sender] + [UInt8](hex: "2233445566 03 02 01 06 c4"))
            scene.run(milliseconds: 300)
        }
        scene.run(milliseconds: 300_000)
        #expect(scene.radioStatus.rungs.total == 0 && scene.radioStatus.lastFault == nil)
        let end = scene.world.now
        scene.stop()
        let coverage = scene.world.medium.entries.compactMap(\.coverage)
        let covered = coverage.coveredTime
        #expect(covered + 12_000 >= end - start)
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
