import EncounterLog
import FixedMemory
import HCI
import TestSupport
import Testing

@testable import Peers
@testable import Radio

/// Tests the coverage in the log, as docs/radio-supervisor.md specifies it.
@Suite struct CoverageTests {
    /// Makes a scene with four steady phones, during an attempt at a fifth that does not accept.
    private func connectingInVain() throws -> Scene {
        var scene = try Scene()
        scene.phones = try (0..<4 as Range<UInt64>).map { try ScriptedPhone($0, advert: [2, 1, 6]) }
        scene.run(milliseconds: 40_000)
        let phone = try ScriptedPhone(9)
        phone.accepts = false
        scene.phones.append(phone)
        scene.run { $0.controller.commands.last == .leCreateConnection }
        return scene
    }

    /// The first attempt takes 2 s, too short for a coverage gap; the second takes 5 s. The gap is not
    /// shorter
    /// if the controller answers late that it has stopped scanning.
    @Test func `a coverage gap begins at the command to stop scanning, not at its answer`() throws {
        var scene = try connectingInVain()
        scene.run(milliseconds: 2_500)
        let before = scene.controller.commands.count { $0 == .leSetScanEnable }
        scene.script.set(.ignore, to: .leSetScanEnable)
        scene.run { scene in scene.controller.commands.count { $0 == .leSetScanEnable } > before }
        let asked = scene.world.now
        scene.run(milliseconds: 2_500)
        scene.script.endAll()
        scene.controller.performIgnored()
        scene.run(milliseconds: 20_000)
        #expect(scene.radioStatus.state == .up)
        scene.stop()

        let coverage = scene.world.medium.entries.compactMap(\.coverage)
        #expect(coverage.contains { $0.start < asked && $0.end + 500 > asked })
        let pause: Range<Instant> = asked + .milliseconds(20)..<asked + .milliseconds(4_500)
        #expect(
            !coverage.contains {
                $0.start < pause.upperBound && $0.end > pause.lowerBound
            })
        #expect(coverage.contains { $0.end > asked + 15_000 })
    }

    /// The answer to the start of the scan is lost, but reports arrive and prove that the controller scans.
    @Test func `reports prove coverage although the start of the scan is never answered`() throws {
        var scene = try connectingInVain()
        scene.script.set(.loseAnswer, to: .leSetScanEnable)
        let before = scene.controller.commands.count { $0 == .leSetScanEnable }
        scene.run { scene in scene.controller.commands.count { $0 == .leSetScanEnable } > before }
        let asked = scene.world.now
        scene.run(milliseconds: 3_500)
        let end = scene.world.now
        scene.script.endAll()
        scene.run(milliseconds: 20_000)
        #expect(scene.world.hasCommandTimeout)
        scene.stop()
        let coverage = scene.world.medium.entries.compactMap(\.coverage)
        #expect(coverage.contains { $0.start < asked + 500 && $0.end + 500 > end })
    }

    /// Reports without an RSSI confirm nothing, so coverage ends. They are counted with the next entry: one
    /// entry for each step would fill the log, and a full medium would be tried at each.
    @Test func `reports in a coverage gap do not make an entry each`() throws {
        var scene = try Scene()
        scene.phones = try (0..<4 as Range<UInt64>).map { try ScriptedPhone($0, advert: [2, 1, 6]) }
        scene.run(milliseconds: 60_000)
        let before = scene.world.medium.entries.compactMap(\.coverage).count
        for phone in scene.phones { phone.rssiDBm = 127 }
        scene.run(milliseconds: 30_000)
        for phone in scene.phones { phone.rssiDBm = -60 }
        scene.run(milliseconds: 20_000)
        scene.stop()
        let coverage = scene.world.medium.entries.compactMap(\.coverage)
        #expect(coverage.count < before + 20)
    }

    @Test func `reports in a long coverage gap are counted every ten minutes`() {
        var keeper = CoverageKeeper(now: .start)
        var counters = RecorderCounters()
        var countedAt: [UInt64] = []
        for second in 1...3_600 as ClosedRange<UInt64> {
            let now = Instant.start + .seconds(second)
            counters.reports += 1
            #expect(keeper.interrupt(counters: counters, now: now) == nil)
            let entry = keeper.advance(
                CoverageKeeper.Scan(Scanner(), lastGood: nil), confirmed: .start, firstGood: nil,
                counters: counters, isWanted: false, now: now)
            if entry != nil { countedAt.append(second) }
        }
        #expect(countedAt == [1, 601, 1_201, 1_801, 2_401, 3_001])
    }

    /// Full pages are written before the loss window ends, so nothing is committed for its age. A power cut
    /// must
    /// not lose more coverage than encounters.
    @Test func `if pages fill within the loss window, coverage is logged with them`() throws {
        var scene = try Scene(
            options: ["log.loss_window_seconds=40"], in: BoardWorld(blockByteCount: 256))
        scene.phones = try (0..<8 as Range<UInt64>).map { try ScriptedPhone($0) }
        scene.run(milliseconds: 40_000)
        for _ in 0..<20 {
            scene.run(milliseconds: 10_000)
            let told = scene.world.medium.entries.compactMap(\.coverage?.end).max()
            #expect(try scene.world.now < #require(told) + 50_000)
        }
    }

    @Test func `no coverage is lost while the medium cannot be written`() throws {
        var scene = try Scene()
        scene.phones = try (0..<4 as Range<UInt64>).map { try ScriptedPhone($0, advert: [2, 1, 6]) }
        scene.run(milliseconds: 40_000)
        scene.world.medium.isBroken = true
        scene.run(milliseconds: 1_200_000)
        scene.world.medium.isBroken = false
        scene.run(milliseconds: 60_000)
        scene.stop()
        let coverage = scene.world.medium.entries.compactMap(\.coverage)
        let covered = coverage.coveredTime
        #expect(covered + 5_000 > 1_300_000)
        #expect(coverage.reduce(0) { $0 + Int($1.reports) } == Int(scene.controller.truth.reportsMade))
    }

    @Test(arguments: [0, 1] as [UInt64], [20_000, 3_600_000] as [UInt64])
    func `coverage excludes the time in which the board was asleep`(phones: UInt64, milliseconds: UInt64)
        throws
    {
        var scene = try Scene()
        scene.phones = try (0..<phones).map { try ScriptedPhone($0, advert: [2, 1, 6]) }
        scene.run(milliseconds: 100_000)
        let asleep = scene.world.now
        scene.world.now += .milliseconds(milliseconds)
        let awake = scene.world.now
        scene.run(milliseconds: 30_000)
        scene.stop()
        let coverage = scene.world.medium.entries.compactMap(\.coverage)
        #expect(!coverage.contains { $0.start < awake && $0.end > asleep })
        #expect(coverage.contains { $0.end + 10_100 > asleep })
        #expect(coverage.contains { $0.end > awake + 19_000 })
    }

    @Test func `if pages wait for the loss window, each has one coverage entry`() throws {
        var scene = try Scene("log.loss_window_seconds=40")
        scene.phones = [try ScriptedPhone(1)]
        scene.run(milliseconds: 400_000)
        let pages = scene.world.medium.pages.map(\.entries).filter { !$0.isEmpty }
        #expect(pages.count > 5)
        #expect(pages.allSatisfy { $0.compactMap(\.coverage).count == 1 })
    }
}
