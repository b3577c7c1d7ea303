import EncounterLog
import HCI
import TestSupport
import Testing

/// Adverts without data are no fault as long as they are few: some device sends none. docs/radio-supervisor.md, "Faults".
@Suite struct StrayReportTests {
    /// Of somebody who has nothing to say.
    private func strayReport(_ scene: borrowing Scene) {
        scene.controller.event(0x3e, [UInt8](hex: "02 01 03 01 112233445566 00 c4"))
    }

    @Test func `one stray report in a quiet room takes nothing from its coverage`() throws {
        var scene = try Scene()
        scene.runAlone(milliseconds: 100_000)
        strayReport(scene)
        scene.runAlone(milliseconds: 3_600_000)
        let end = scene.world.now
        scene.stop()
        let covered = scene.world.medium.entries.compactMap(\.coverage).map(\.endMilliseconds).max()
        #expect(try #require(covered) + 10_100 >= end)
    }

    @Test func `strays that come minutes apart are not added up to a fault`() throws {
        var scene = try Scene()
        for _ in 0..<20 {
            scene.runAlone(milliseconds: 600_000)
            strayReport(scene)
        }
        scene.runAlone(milliseconds: 60_000)
        #expect(scene.radioStatus.rungs.total == 0)
        #expect(scene.radioStatus.lastFault == nil)
    }

    @Test func `reports of no use that come one after another are a fault in a quiet room, too`() throws {
        var scene = try Scene()
        scene.runAlone(milliseconds: 100_000)
        for _ in 0..<30 {
            scene.runAlone(milliseconds: 1_000)
            strayReport(scene)
        }
        #expect(scene.radioStatus.lastFault == .emptyReports)
    }
}
