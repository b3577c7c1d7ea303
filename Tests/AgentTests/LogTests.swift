import Agent
import EncounterLog
import FixedMemory
import HCI
import TestSupport
import Testing

@testable import Radio

@Suite struct LogTests {
    @Test func `HP-C33, HP-O09: the boot entry has the settings, among them the encounter timeout`() throws {
        var scene = try Scene(
            "encounters.sample_seconds=4", "encounters.gap_seconds=20", "log.loss_window_seconds=10",
            "agent.role=beacon", boot: 0x1234)
        let start = scene.world.now
        scene.run(milliseconds: 100)
        scene.stop()
        let boot = try #require(scene.world.medium.entries.first?.boot)
        #expect(boot.bootIdentifier == 0x1234)
        #expect(boot.sampleLength == 4_000)
        #expect(boot.encounterTimeout == 20_000)
        #expect(boot.lossWindow == 10_000)
        #expect(boot.role == .beacon)
        #expect(boot.instant == start)
    }

    @Test func `stopping the agent writes all entries and resets the controller`() throws {
        var scene = try Scene()
        let phone = try ScriptedPhone(1)
        scene.phones = [phone]
        scene.run(milliseconds: 5_000)
        #expect(scene.world.medium.entries.isEmpty)
        scene.stop()
        let hasEnded = scene.hasEnded
        #expect(hasEnded)
        #expect(scene.world.hasNotice(.stopped(encounterCount: 1)))
        let entries = scene.world.medium.entries
        #expect(entries.compactMap(\.opened).count == 1)
        #expect(entries.compactMap(\.sample).count == 1)
        #expect(entries.compactMap(\.coverage).count == 1)
        #expect(scene.controller.commands.last == .reset)
    }

    @Test(arguments: [1, 5, 30] as [UInt64])
    func `no entry stays in memory for longer than the loss window`(_ seconds: UInt64) throws {
        var scene = try Scene("encounters.sample_seconds=1", "log.loss_window_seconds=\(seconds)")
        let phone = try ScriptedPhone(1)
        scene.run(milliseconds: 60_000)
        scene.phones = [phone]
        let heard = scene.world.now
        // The encounter goes to the log when the phone has been read.
        scene.run(milliseconds: 3_000)
        scene.run(milliseconds: seconds * 1_000 + 250)
        let opened = scene.world.medium.entries.compactMap(\.opened)
        #expect(opened.count == 1)
        #expect(opened.allSatisfy { $0.instant <= heard + 250 })
    }

    @Test func `an empty room takes at most one page a minute`() throws {
        var scene = try Scene("encounters.sample_seconds=1", "log.loss_window_seconds=1")
        scene.run(milliseconds: 10_000)
        let count = scene.world.medium.programCount
        scene.run(milliseconds: 60_000)
        #expect(scene.world.medium.programCount <= count + 1)
    }

    @Test func `a notice at start reports stale blocks behind the log`() throws {
        let world = BoardWorld()
        var scene = try Scene(in: world)
        scene.run(milliseconds: 1_000)
        scene.stop()
        #expect(!world.hasNotice(.staleBlocksFound))
        let second = world.medium.geometry.segmentByteCount
        for index in second..<second + 1_024 { world.medium.bytes[index] = 0x55 }
        scene = try Scene(in: world, boot: 8)
        #expect(world.hasNotice(.staleBlocksFound))
    }

    @Test func `a power cut loses only the loss window`() throws {
        var scene = try Scene("encounters.sample_seconds=4", "log.loss_window_seconds=5", boot: 1)
        let phone = try ScriptedPhone(1, payload: [0x10, 4])
        scene.phones = [phone]
        scene.run(milliseconds: 30_000)
        let world = scene.world
        let before = world.medium.entries
        #expect(before.compactMap(\.identified).count == 1)
        let newest = before.compactMap(\.sample).map(\.end).max() ?? 0
        #expect(world.now - newest < 4_000 + 5_000 + 500)
        // After a power cut, another agent finds the log and continues it.
        world.cutPower()
        scene = try Scene("encounters.sample_seconds=4", "log.loss_window_seconds=5", in: world, boot: 2)
        scene.run(milliseconds: 20_000)
        scene.stop()
        let entries = world.medium.entries
        #expect(Array(entries.prefix(before.count)).map { "\($0)" } == before.map { "\($0)" })
        #expect(entries.compactMap(\.boot).map(\.bootIdentifier) == [1, 2])
        #expect(entries.compactMap(\.opened).map(\.encounter) == [1, 1])
    }

    @Test func `coverage counts every advertising report once`() throws {
        var scene = try Scene()
        scene.phones = [try ScriptedPhone(1), try ScriptedPhone(2, advert: [2, 1, 6])]
        scene.run(milliseconds: 100_000)
        scene.controller.injectEvent(0x10, [1])
        scene.run(milliseconds: 100_000)
        scene.stop()
        let coverage = scene.world.medium.entries.compactMap(\.coverage)
        let reports = coverage.reduce(0) { $0 + $1.reports }
        #expect(reports > 1_250)
        #expect(Int(reports) == Int(scene.controller.truth.reportsMade))
        for (earlier, later) in zip(coverage, coverage.dropFirst()) {
            #expect(earlier.end <= later.start)
            #expect(earlier.start <= earlier.end)
        }
        let covered = coverage.coveredTime
        #expect((198_000...200_100 as ClosedRange<Interval>).contains(covered))
    }

    @Test func `a dead radio has no coverage`() throws {
        var scene = try Scene()
        scene.run(milliseconds: 20_000)
        scene.controller.faults.begin(.vanishedAdapter)
        let died = scene.world.now
        scene.run(milliseconds: 60_000)
        scene.controller.faults.end(.vanishedAdapter)
        scene.run(milliseconds: 60_000)
        scene.stop()
        let coverage = scene.world.medium.entries.compactMap(\.coverage)
        #expect(coverage.count >= 2)
        let overlap = coverage.filter {
            $0.start < died + 50_000 && $0.end > died + 1_000
        }
        #expect(overlap.isEmpty)
    }

    @Test func `the system clock is anchored at start and every ten minutes`() throws {
        var scene = try Scene()
        scene.world.wallOffset = 1_795_000_000_000
        let start = scene.world.now
        scene.run(milliseconds: 610_000)
        scene.stop()
        let anchors = scene.world.medium.entries.compactMap(\.anchor)
        #expect(anchors.count == 2)
        #expect(anchors.first?.source == .systemClock)
        #expect(anchors.first?.errorMilliseconds == 25)
        #expect(anchors.map(\.instant).last.map { $0 - start >= 600_000 } == true)
    }

    @Test func `a medium that fails for a minute loses no entry`() throws {
        var scene = try Scene("encounters.sample_seconds=2", "log.loss_window_seconds=2")
        let phone = try ScriptedPhone(1)
        scene.run(milliseconds: 10_000)
        scene.world.medium.isBroken = true
        scene.phones = [phone]
        scene.run(milliseconds: 60_000)
        #expect(scene.world.hasNotice(.logWriteFailed))
        scene.world.medium.isBroken = false
        scene.run(milliseconds: 5_000)
        #expect(scene.world.hasNotice(.logWriteResumed))
        #expect(scene.world.notices.count { $0 == .logWriteFailed || $0 == .logWriteResumed } == 2)
        scene.stop()
        let entries = scene.world.medium.entries
        #expect(entries.compactMap(\.opened).count == 1)
        #expect(entries.compactMap(\.sample).reduce(0) { $0 + Int($1.readings) } > 200)
    }
}
