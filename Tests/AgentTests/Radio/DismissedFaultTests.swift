import Agent
import FixedMemory
import TestSupport
import Testing

@testable import Simulator

/// While a suspicion is dismissed, the agent must still find another fault, and not cover it.
@Suite struct DismissedFaultTests {
    /// Lets scan responses come until the agent assumes an empty room, and some seconds later reports
    /// without data, among two phones. Before 20 s no peer is expected again.
    @Test(arguments: [5_000, 60_000] as [UInt64])
    func `reports without data after dismissed scan responses are a fault and not covered`(
        pause: UInt64
    ) throws {
        var scene = try Scene()
        scene.phones = try (1...2 as ClosedRange<UInt64>).map { try ScriptedPhone($0, advert: [2, 1, 6]) }
        scene.run(milliseconds: 40_000)
        scene.controller.faults.begin(.scanResponses)
        for _ in 0..<600 where !scene.world.hasNotice(.radio(.emptyRoomAssumed)) {
            scene.run(milliseconds: 1_000)
        }
        #expect(scene.world.hasNotice(.radio(.emptyRoomAssumed)))
        scene.run(milliseconds: pause)
        let rungs = scene.radioStatus.rungs.total
        let start = scene.world.now
        scene.controller.faults.begin(.emptyReports)
        scene.run(milliseconds: 15_000)
        #expect(scene.radioStatus.lastFault == .emptyReports)
        #expect(scene.radioStatus.rungs.total > rungs)
        scene.run(milliseconds: 45_000)
        let end = scene.world.now
        scene.stop()
        let covered = CoverageLog(of: scene.world.board).stretches
        #expect(covered.intersection(TimeRanges([start..<end])).length < .seconds(1))
    }

    /// The controller refuses parameters, and once starts anew while it does. Then everybody leaves.
    @Test func `a refused role is no empty room, whatever fault came after it`() throws {
        var scene = try Scene()
        scene.phones = try (1...2 as ClosedRange<UInt64>).map { try ScriptedPhone($0, advert: [2, 1, 6]) }
        scene.run(milliseconds: 40_000)
        scene.controller.faults.begin(.disallowedParameters, cure: .byItself)
        scene.run(milliseconds: 60_000)
        #expect(scene.radioStatus.lastFault == .refusedRole)
        scene.controller.faults.begin(.restart)
        scene.run(milliseconds: 1_000)
        scene.controller.faults.end(.restart)
        #expect(scene.radioStatus.lastFault == .restarted)
        scene.phones = []
        scene.run(milliseconds: 20 * 60_000)
        #expect(!scene.world.hasNotice(.radio(.emptyRoomAssumed)))
        scene.controller.faults.endAll()
        scene.run(milliseconds: 60_000)
        #expect(scene.controller.isScanning && scene.controller.isAdvertising)
    }
}
