import EncounterLog
import HCI
import Testing

/// When the log says that the agent was able to see. docs/radio-supervisor.md is what these prove.
@Suite struct CoverageTests {
    /// Four are heard steadily, and somebody is being connected to who cannot be reached.
    private func connectingInVain() throws -> Scene {
        var scene = try Scene()
        scene.controller.phones = try (0..<4 as Range<UInt64>).map { try TestPhone($0, advert: [2, 1, 6]) }
        scene.run(milliseconds: 40_000)
        let phone = try TestPhone(9)
        phone.accepts = false
        scene.controller.phones.append(phone)
        scene.run { $0.controller.commands.last == .leCreateConnection }
        return scene
    }

    /// Somebody who cannot be reached is tried for 2 s, which is too short to matter, then for 5 s. A controller that tells
    /// late that it has stopped scanning makes that no shorter.
    @Test func aPauseOfScanningBeginsWhenItIsAskedForNotWhenItIsAnswered() throws {
        var scene = try connectingInVain()
        scene.run(milliseconds: 2_500)
        let before = scene.controller.commands.count { $0 == .leSetScanEnable }
        scene.controller.silentTo = [OpCode.leSetScanEnable.rawValue]
        scene.run { scene in scene.controller.commands.count { $0 == .leSetScanEnable } > before }
        let asked = scene.world.now
        scene.run(milliseconds: 2_500)
        scene.controller.silentTo = []
        scene.controller.receive(Command.leSetScanEnable(false).packet.span.array)
        scene.run(milliseconds: 20_000)
        #expect(scene.radioStatus.state == .up)
        scene.stop()

        let coverage = scene.world.medium.entries.compactMap(\.coverage)
        #expect(coverage.contains { $0.startMilliseconds < asked && $0.endMilliseconds + 500 > asked })
        let pause = asked + 20..<asked + 4_500
        #expect(
            !coverage.contains {
                $0.startMilliseconds < pause.upperBound && $0.endMilliseconds > pause.lowerBound
            })
        #expect(coverage.contains { $0.endMilliseconds > asked + 15_000 })
    }

    /// The answer to the start of a scan is lost, and reports come all the same: they tell that it scans.
    @Test func aScanThatIsHeardCountsThoughItsStartIsNeverAnswered() throws {
        var scene = try connectingInVain()
        scene.controller.losesAnswersTo = [OpCode.leSetScanEnable.rawValue]
        let before = scene.controller.commands.count { $0 == .leSetScanEnable }
        scene.run { scene in scene.controller.commands.count { $0 == .leSetScanEnable } > before }
        let asked = scene.world.now
        scene.run(milliseconds: 3_500)
        let end = scene.world.now
        scene.controller.losesAnswersTo = []
        scene.run(milliseconds: 20_000)
        #expect(scene.world.hasCommandTimeout)
        scene.stop()
        let coverage = scene.world.medium.entries.compactMap(\.coverage)
        #expect(coverage.contains { $0.startMilliseconds < asked + 500 && $0.endMilliseconds + 500 > end })
    }

    /// Nothing is committed for its age there, and a power cut must take no more of what the agent saw than of what it heard.
    @Test func `where pages fill before their time, coverage keeps up with them`() throws {
        var scene = try Scene(
            options: ["log.loss_window_seconds=40"], in: World(medium: TestMedium(blockByteCount: 256)))
        scene.controller.phones = try (0..<8 as Range<UInt64>).map { try TestPhone($0) }
        scene.run(milliseconds: 40_000)
        for _ in 0..<20 {
            scene.run(milliseconds: 10_000)
            let told = scene.world.medium.entries.compactMap(\.coverage?.endMilliseconds).max()
            #expect(try scene.world.now < #require(told) + 50_000)
        }
    }

    @Test func `while the medium cannot be written no coverage is lost`() throws {
        var scene = try Scene()
        scene.controller.phones = try (0..<4 as Range<UInt64>).map { try TestPhone($0, advert: [2, 1, 6]) }
        scene.run(milliseconds: 40_000, tick: 50)
        scene.world.medium.isBroken = true
        scene.run(milliseconds: 1_200_000, tick: 100)
        scene.world.medium.isBroken = false
        scene.run(milliseconds: 60_000, tick: 50)
        scene.stop()
        let coverage = scene.world.medium.entries.compactMap(\.coverage)
        let covered = coverage.reduce(0) { $0 + $1.endMilliseconds - $1.startMilliseconds }
        #expect(covered + 5_000 > 1_300_000)
        #expect(coverage.reduce(0) { $0 + Int($1.reports) } == scene.controller.reportCount)
    }

    @Test(arguments: [0, 1] as [UInt64], [20_000, 3_600_000] as [UInt64])
    func `time in which the board was asleep is not covered`(phones: UInt64, milliseconds: UInt64) throws {
        var scene = try Scene()
        scene.controller.phones = try (0..<phones).map { try TestPhone($0, advert: [2, 1, 6]) }
        scene.run(milliseconds: 100_000, tick: 50)
        let asleep = scene.world.now
        scene.world.now += milliseconds
        let awake = scene.world.now
        scene.run(milliseconds: 30_000, tick: 50)
        scene.stop()
        let coverage = scene.world.medium.entries.compactMap(\.coverage)
        #expect(!coverage.contains { $0.startMilliseconds < awake && $0.endMilliseconds > asleep })
        #expect(coverage.contains { $0.endMilliseconds + 10_100 > asleep })
        #expect(coverage.contains { $0.endMilliseconds > awake + 19_000 })
    }

    @Test func `where pages wait for their time, coverage is told once in each`() throws {
        var scene = try Scene("log.loss_window_seconds=40")
        scene.controller.phones = [try TestPhone(1)]
        scene.run(milliseconds: 400_000)
        let pages = scene.world.medium.pages.map(\.entries).filter { !$0.isEmpty }
        #expect(pages.count > 5)
        #expect(pages.allSatisfy { $0.compactMap(\.coverage).count == 1 })
    }
}
