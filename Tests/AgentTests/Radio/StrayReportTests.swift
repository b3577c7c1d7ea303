import EncounterLog
import FixedMemory
import HCI
import TestSupport
import Testing

/// Tests that a few reports without data are not a fault, because some devices advertise without data.
/// See docs/radio-supervisor.md, "Faults".
@Suite struct StrayReportTests {
    /// Reports an advert without data.
    private func strayReport(_ scene: borrowing Scene, from sender: UInt8 = 0x11) {
        scene.controller.injectEvent(
            0x3e, [UInt8](hex: "02 01 03 01") + [sender] + [UInt8](hex: "2233445566 00 c4"))
    }

    @Test func `one stray report in an empty room costs no coverage`() throws {
        var scene = try Scene()
        scene.run(milliseconds: 100_000)
        strayReport(scene)
        scene.run(milliseconds: 3_600_000)
        let end = scene.world.now
        scene.stop()
        let covered = scene.world.medium.entries.compactMap(\.coverage).map(\.end).max()
        #expect(try #require(covered) + 10_100 >= end)
    }

    @Test func `stray reports minutes apart do not add up to a fault`() throws {
        var scene = try Scene()
        for _ in 0..<20 {
            scene.run(milliseconds: 600_000)
            strayReport(scene)
        }
        scene.run(milliseconds: 60_000)
        #expect(scene.radioStatus.rungs.total == 0)
        #expect(scene.radioStatus.lastFault == nil)
    }

    @Test func `consecutive empty reports of several senders are a fault, also in an empty room`() throws {
        var scene = try Scene()
        scene.run(milliseconds: 100_000)
        for number in 0..<30 as Range<UInt8> {
            scene.run(milliseconds: 1_000)
            strayReport(scene, from: number & 1)
        }
        #expect(scene.radioStatus.lastFault == .emptyReports)
    }

    @Test func `empty reports of several senders are a fault, also if each event holds those of all`() throws
    {
        var scene = try Scene()
        scene.run(milliseconds: 100_000)
        for _ in 0..<15 {
            scene.run(milliseconds: 2_000)
            scene.controller.injectEvent(
                0x3e,
                [UInt8](hex: "02 02 03 01 00 2233445566 00 c4") + [UInt8](hex: "03 01 01 2233445566 00 c4"))
        }
        #expect(scene.radioStatus.lastFault == .emptyReports)
    }

    @Test func `one sender without data, twice a second, is no fault and costs no coverage`() throws {
        var scene = try Scene()
        let start = scene.world.now
        for _ in 0..<1_200 {
            scene.run(milliseconds: 500)
            strayReport(scene)
        }
        #expect(scene.radioStatus.rungs.total == 0 && scene.radioStatus.lastFault == nil)
        let end = scene.world.now
        scene.stop()
        let coverage = scene.world.medium.entries.compactMap(\.coverage)
        let covered = coverage.coveredTime
        #expect(covered + 11_000 >= end - start)
    }

    /// The phone takes part, so its data are known.
    @Test func `empty reports of one known sender are a fault`() throws {
        var scene = try Scene()
        scene.phones = [try ScriptedPhone(1)]
        scene.run(milliseconds: 40_000)
        scene.controller.faults.begin(.emptyReports)
        scene.run(milliseconds: 30_000)
        #expect(scene.radioStatus.lastFault == .emptyReports)
    }

    /// The only phone expected may be silent because of its link. But this one is heard, without RSSI.
    @Test func `reports of a known sender without RSSI are a fault, also while a link is open`() throws {
        var scene = try Scene()
        scene.phones = [try ScriptedPhone(1)]
        scene.run(milliseconds: 40_000)
        let linked = try ScriptedPhone(9)
        scene.controller.faults.begin(.unknownRSSI)
        for _ in 0..<30 {
            if !linked.isConnected { scene.world.forceConnect(from: linked) }
            scene.run(milliseconds: 1_000)
        }
        #expect(scene.radioStatus.lastFault == .emptyReports)
    }

    @Test func `unknown senders without data are no fault while the only phone has a link`() throws {
        var scene = try Scene()
        let phone = try ScriptedPhone(1)
        scene.phones = [phone]
        scene.run(milliseconds: 40_000)
        phone.isAway = true
        for number in 0..<30 as Range<UInt8> {
            if !phone.isConnected { scene.world.forceConnect(from: phone) }
            scene.run(milliseconds: 1_000)
            strayReport(scene, from: number & 1)
        }
        #expect(scene.radioStatus.lastFault == nil)
    }
}
