import EncounterLog
import FixedMemory
import GATT
import Protocols
import TestSupport
import Testing

@testable import Agent
@testable import Radio

/// Tests what the log holds of adverts on the air.
@Suite struct EncounterTests {
    @Test(arguments: [10, 30] as [UInt64])
    func `HP-C33, HP-O09: an encounter ends at its last RSSI reading after the timeout, not sooner`(
        gapSeconds: UInt64
    ) throws {
        var scene = try Scene("encounters.gap_seconds=\(gapSeconds)", "encounters.sample_seconds=4")
        let phone = try ScriptedPhone(1)
        scene.phones = [phone]
        scene.run(milliseconds: 10_000)
        phone.isAway = true
        scene.run(milliseconds: gapSeconds * 1_000 - 1_000)
        phone.isAway = false
        scene.run(milliseconds: 10_000)
        phone.isAway = true
        let last = scene.world.now
        scene.run(milliseconds: gapSeconds * 1_000 + 1_500)
        phone.isAway = false
        let returned = scene.world.now
        scene.run(milliseconds: 5_000)
        scene.stop()
        let entries = scene.world.medium.entries
        let opened = entries.compactMap(\.opened).map(\.instant)
        #expect(opened.count == 2)
        #expect(opened.last.map { $0 >= returned && $0 < returned + 1_000 } == true)
        let closed = try #require(entries.compactMap(\.closed).first)
        #expect(closed.instant <= last && closed.instant + 1_000 > last)
    }

    @Test func `HP-C28: the log has a new transmit power from the first advert that states it`() throws {
        var scene = try Scene("encounters.sample_seconds=30")
        let phone = try ScriptedPhone(1, advert: [UInt8](hex: "02011a0303f6fc020a0c"))
        scene.phones = [phone]
        scene.run(milliseconds: 12_000)
        phone.advert = [UInt8](hex: "02011a0303f6fc020af4")
        let changed = scene.world.now
        scene.run(milliseconds: 8_000)
        scene.stop()
        let samples = scene.world.medium.entries.compactMap(\.sample)
        #expect(samples.map(\.txPowerDBm) == [12, -12])
        #expect(samples.first.map { $0.end <= changed } == true)
        #expect(samples.last.map { $0.start > changed } == true)
        #expect(samples.reduce(0) { $0 + Int($1.readings) } == scene.controller.truth.goodReportsTaken)
    }

    @Test(arguments: ["off", "on"])
    func `X5: a phone that connects as soon as advertising begins finds both services complete`(
        schemes: String
    ) throws {
        var scene = try Scene("schemes.ble_proximity=\(schemes)")
        let phone = try ScriptedPhone(1)
        phone.readsUs = false
        scene.world.connectWhenAdvertised(phone)
        scene.run { _ in phone.isConnected }
        var payloads: [[UInt8]] = []
        for service in [HeraldService.current, HeraldService.legacy] {
            var search = HeraldService.payloadSearch
            search.services = UUIDList(service)
            phone.look(for: search)
            scene.run { _ in phone.payloadRead != nil }
            payloads.append(try #require(phone.payloadRead))
            #expect(phone.found.service == service)
            #expect(phone.found.characteristic?.properties == .read)
            #expect(phone.found.other(0)?.properties == .write)
        }
        #expect(payloads.map(\.hex) == ["303a03000040e20100", "303a03000040e20100"])
    }
}
