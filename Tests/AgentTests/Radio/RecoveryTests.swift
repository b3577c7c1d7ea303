import EncounterLog
import HCI
import Simulator
import Testing

@Suite struct RecoveryTests {
    @Test func `an unanswered command leads to a reset`() throws {
        var scene = try Scene()
        scene.script.set(.ignore, to: .leSetScanEnable)
        scene.run(milliseconds: 3_000)
        scene.script.endAll()
        scene.run(milliseconds: 3_000)
        #expect(scene.world.hasNotice(.radio(.recovery(.commandTimeout(.leSetScanEnable), .reset))))
        #expect(scene.controller.isScanning && scene.controller.isAdvertising)
        #expect(scene.controller.reopenCount == 0)
    }

    @Test func `a failed reset leads to reopening the transport, with growing pauses`() throws {
        var scene = try Scene()
        scene.script.set(.ignore, to: .reset)
        scene.run(milliseconds: 20_000)
        #expect(scene.controller.commands.filter { $0 == .reset }.count == 2)
        #expect(scene.controller.reopenCount == 0)
        scene.run(milliseconds: 600)
        #expect(scene.controller.reopenCount == 1)
        scene.run(milliseconds: 240_000)
        let reopenings = scene.controller.reopenCount
        #expect((7...12).contains(reopenings))
        scene.script.endAll()
        scene.run(milliseconds: 45_000)
        #expect(scene.controller.isScanning)
    }

    @Test func `a controller that takes nine seconds for each reset comes up`() throws {
        var scene = try Scene()
        for seconds in [9, 5] as [UInt64] {
            scene.script.set(.ignore, to: .reset, times: 1)
            scene.run(milliseconds: seconds * 1_000)
            scene.controller.performIgnored()
            scene.run(milliseconds: 2_000)
            #expect(scene.controller.isScanning && scene.controller.isAdvertising)
            #expect(scene.controller.reopenCount == 0)
            scene.controller.injectEvent(0x10, [0x42])
        }
        #expect(!scene.world.faults.contains { if case .commandTimeout = $0 { true } else { false } })
    }

    /// A reset after which the fault returns within seconds counts as failed.
    @Test func `a radio that fails right after each reset is reopened`() throws {
        var scene = try Scene()
        for _ in 0..<40 {
            scene.run(milliseconds: 1_000)
            if scene.controller.isScanning { scene.controller.injectEvent(0x10, [0x42]) }
        }
        #expect(scene.world.faults.contains(.hardwareError(0x42)))
        #expect(scene.controller.reopenCount >= 2)
    }

    @Test func `a reset repairs each of several faults far apart`() throws {
        var scene = try Scene()
        for _ in 0..<4 {
            scene.run(milliseconds: 140_000)
            scene.controller.injectEvent(0x10, [0x42])
        }
        scene.run(milliseconds: 1_000)
        #expect(scene.controller.reopenCount == 0)
        #expect(scene.controller.isScanning && scene.controller.isAdvertising)
    }

    /// A fault that returns half a minute after a reset may need a power cycle. If that does not help either,
    /// recovery begins again at the lowest rung.
    @Test func `a fault that returns soon takes the next rung`() throws {
        var scene = try Scene()
        scene.world.isPowerSwitchable = true
        for _ in 0..<4 {
            scene.run(milliseconds: 30_000)
            scene.controller.injectEvent(0x10, [0x42])
        }
        scene.run(milliseconds: 10_000)
        let rungs = scene.radioStatus.rungs
        #expect(rungs.reset == 2 && rungs.reopen == 1 && rungs.powerCycle == 1)
        #expect(scene.controller.isScanning && scene.controller.isAdvertising)
    }

    /// When the roles are accepted again no peer is heard, because reports have no content. The agent
    /// suspects that ten seconds later. The rungs that it has just taken would cost half a minute more.
    @Test func `a second fault that shows when the first is over continues the climb`() throws {
        var scene = try crowdedScene()
        scene.world.isPowerSwitchable = true
        scene.controller.faults.begin(.disallowedParameters, cure: .reopen)
        scene.run { $0.hasTaken(.restartRoles) }
        scene.controller.faults.begin(.emptyReports, cure: .powerCycle)
        scene.controller.faults.endAll()
        scene.run(milliseconds: 60_000)
        #expect(!scene.controller.faults.isAny)
        #expect(scene.radioStatus.state == .up)
        scene.stop()

        let entries = scene.world.medium.entries.compactMap(\.radio)
        #expect(
            entries.filter { $0.event == .rungTaken }.map(\.rung)
                == [.restartRoles, .reset, .reopen, .powerCycle])
        let recovered = try #require(entries.last)
        #expect(entries.count == 5 && recovered.event == .recovered)
        #expect(entries.dropLast().allSatisfy { $0.instant < recovered.instant })
    }

    /// After the highest rung, a stream that is only garbled is reset every ten minutes. A fault that comes
    /// in that pause needs a rung earlier.
    @Test func `the pause for a garbled stream does not delay the recovery from another fault`() throws {
        var scene = try crowdedScene()
        scene.world.isPowerSwitchable = true
        scene.controller.faults.begin(.emptyReports, cure: .powerCycle)
        scene.run { $0.hasTaken(.reopen) }
        scene.controller.faults.endAll()
        scene.run { $0.radioHistory.last == "open" && $0.radioHistory.contains("on") }
        scene.run(milliseconds: 3_000)
        // No event has this code.
        for _ in 0..<60 { scene.controller.inject([0x04, 0xee] + [UInt8](repeating: 0xff, count: 78)) }
        scene.run(milliseconds: 2_000)
        #expect(scene.radioStatus.lastFault == .garbledStream)

        scene.controller.faults.begin(.emptyReports, cure: .powerCycle)
        scene.run(milliseconds: 20_000)
        #expect(scene.radioStatus.lastFault == .emptyReports)
        scene.controller.faults.endAll()
        scene.run(milliseconds: 60_000)
        #expect(!scene.controller.faults.isAny)
        #expect(scene.radioStatus.state == .up)
    }

    @Test func `a transport that vanished is opened again when it returns`() throws {
        var scene = try Scene()
        scene.run(milliseconds: 1_000)
        scene.controller.faults.begin(.vanishedAdapter)
        scene.run(milliseconds: 20_000)
        #expect(scene.world.faults.contains(.transport(.gone)))
        #expect((3...10).contains(scene.controller.reopenCount))
        scene.controller.faults.end(.vanishedAdapter)
        scene.run(milliseconds: 30_000)
        #expect(scene.controller.isScanning && scene.controller.isAdvertising)
    }

    /// In a flood of reports, the answer to a pending command is the one packet that must not be dropped.
    @Test func `a flood of reports drops no answer to a command`() throws {
        var scene = try Scene("encounters.peers=64")
        let passer = try ScriptedPhone(9, advert: [2, 1, 6])
        for round in 0..<200 {
            for _ in 0..<50 { scene.controller.report(passer) }
            if round.isMultiple(of: 20) { scene.controller.profile.sharesRoles.toggle() }
            scene.run(milliseconds: 10)
        }
        #expect(scene.controller.isScanning)
        #expect(!scene.world.hasHardFault)
    }

    @Test func `malformed packets are ignored`() throws {
        var scene = try Scene()
        scene.settle()
        let packets: [[UInt8]] = [
            [], [4], [4, 0x3e], [4, 0x3e, 1], [4, 0x3e, 0], [4, 0x0e, 0], [4, 0x3e, 2, 1, 0], [2, 0, 0],
            [2, 1, 0, 0, 0], [2, 1, 0x30, 5, 0, 1], [9, 9], [4, 0x13, 1, 9], [4, 0x3e, 3, 2, 200, 1],
            [4, 0x05, 4, 0, 9, 9, 0], [4, 0x0f, 4, 0, 1, 6, 4],
        ]
        for packet in packets { scene.controller.inject(packet) }
        scene.run(milliseconds: 1_000)
        #expect(scene.controller.isScanning && scene.controller.isAdvertising)
        #expect(!scene.world.hasHardFault)
    }

    @Test func `a connection reported during a reset makes no link`() throws {
        var scene = try Scene("encounters.links=1")
        scene.run(milliseconds: 20_000)
        let phone = try ScriptedPhone(1)
        scene.controller.injectEvent(0x10, [1])
        scene.world.connect(phone)
        scene.run(milliseconds: 2_000)
        #expect(scene.controller.advertisingType == 0)
        #expect(scene.controller.isAdvertising)
        #expect(!scene.controller.commands.contains(.disconnect))
    }
}
