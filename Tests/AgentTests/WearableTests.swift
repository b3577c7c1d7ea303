import Agent
import Configuration
import DeviceSync
import EncounterLog
import FixedMemory
import Foundation
import HCI
import Simulator
import TestSupport
import Testing

@Suite struct WearableTests {
    @Test func `HP-D06, HP-O01, X8: address and payload change together, each period and at midnight`() throws
    {
        var scene = try Scene.worn(day: 3, period: 238, second: 100)
        scene.run(milliseconds: 2_000)
        var readings: [Reading] = []
        for number in 0..<70 as Range<UInt64> {
            if let reading = try scene.readOnce(by: number) { readings.append(reading) }
            scene.run(milliseconds: 15_000)
        }
        #expect(readings.count == 70)
        let distinct = Set(readings)
        let periods = [(3, 238), (3, 239), (4, 0), (4, 1)].map(Identifiers.payload)
        #expect(Set(distinct.map(\.payload)) == Set(periods.prefix(distinct.count)))
        #expect(distinct.count >= 3)
        #expect(Set(distinct.map(\.address)).count == distinct.count, "an address with two payloads")
        #expect(scene.world.violations.isEmpty)
        scene.stop()
        let own = scene.world.medium.entries.compactMap(\.ownIdentity)
        let logged = own.map { entry in
            Reading(
                address: entry.address.span.array.hex,
                payload: (0..<entry.identity.count).map { entry.identity[$0] }.hex)
        }
        #expect(Set(logged) == distinct)
        #expect(logged.map(\.payload) == Array(periods.prefix(distinct.count)))
    }

    @Test func `HP-D06: a change stops scanning and advertising, sets the address, and restarts both`() throws
    {
        var scene = try Scene.worn(day: 3, period: 7, second: 350)
        scene.run(milliseconds: 5_000)
        let (count, address) = (scene.controller.commands.count, scene.controller.randomAddress)
        scene.run(milliseconds: 10_000)
        #expect(
            scene.controller.commands(since: count).prefix(6) == [
                .leSetScanEnable, .leSetAdvertisingEnable, .leSetRandomAddress, .leSetAdvertisingParameters,
                .leSetAdvertisingEnable, .leSetScanEnable,
            ])
        #expect(scene.controller.randomAddress != address)
        #expect(scene.controller.isScanning && scene.controller.isAdvertising)
        #expect(scene.world.violations.isEmpty)
    }

    @Test func `HP-D06: a wearable's address is resolvable private, and independent of the log`() throws {
        var addresses: Set<String> = []
        for day in 0..<2 as Range<UInt64> {
            var scene = try Scene.worn(day: day, period: 3)
            scene.settle()
            #expect(scene.controller.randomAddress.last.map { $0 >> 6 } == 1)
            scene.run(milliseconds: 361_000)
            addresses.insert(scene.controller.randomAddress.hex)
        }
        // The test's generator is the same each time, and one address proves that nothing else enters into
        // it.
        #expect(addresses.count == 1)
    }

    @Test func `HP-C19: neither a beacon nor a wearable advertises a pseudo device address`() throws {
        for role in ["beacon", "wearable"] {
            var scene = try Scene.worn(day: 3, period: 7, second: 0, "agent.role=\(role)")
            scene.run(milliseconds: 2_000)
            #expect(
                scene.controller.advertisingData.hex
                    == "0201060303f6fc11079bfd5bd672451e80d3424647af328142020a08")
        }
    }

    @Test func `HP-C19, X8: a beacon keeps its address and its payload`() throws {
        var scene = try Scene.worn(day: 3, period: 7, second: 350, "agent.role=beacon")
        scene.run(milliseconds: 1_000)
        let address = scene.controller.randomAddress
        let before = try scene.readOnce(by: 1)
        scene.run(milliseconds: 400_000)
        #expect(try scene.readOnce(by: 2) == before)
        #expect(before?.payload == "303a03000040e20100")
        #expect(scene.controller.randomAddress == address)
    }

    // MARK: Links

    @Test func `X7: a link that is open at a change still reads the old payload, and closes soon after`()
        throws
    {
        var scene = try Scene.worn(day: 3, period: 7, second: 350)
        scene.run(milliseconds: 1_000)
        let phone = try ScriptedPhone(1)
        phone.readsUs = false
        scene.world.connect(phone)
        scene.run(milliseconds: 11_000)
        #expect(scene.controller.commands.filter { $0 == .leSetRandomAddress }.count == 3)
        phone.read()
        scene.run(milliseconds: 1_000)
        #expect(phone.payloadRead?.hex == Identifiers.payload(day: 3, period: 7))
        #expect(phone.isConnected)
        #expect(try scene.readOnce(by: 2)?.payload == Identifiers.payload(day: 3, period: 8))
        scene.run(milliseconds: 12_000)
        #expect(!phone.isConnected)
        #expect(scene.world.violations.isEmpty)
    }

    @Test func `X7: a phone that connects while advertising stops for a change reads the old payload`() throws
    {
        try servesTheOldPayload(connectingBefore: .leSetAdvertisingEnable)
    }

    @Test func `HP-D06, X7: a phone that connects as scanning stops for a change reads the old payload`()
        throws
    {
        try servesTheOldPayload(connectingBefore: .leSetScanEnable)
    }

    /// - Parameter opCode: the command, one of the change, before which the phone connects.
    private func servesTheOldPayload(connectingBefore opCode: OpCode) throws {
        var scene = try Scene.worn(day: 3, period: 7, second: 350)
        scene.run(milliseconds: 1_000)
        let phone = try ScriptedPhone(1)
        scene.world.connect(phone, beforeDisabling: opCode)
        scene.run(milliseconds: 12_000)
        #expect(phone.payloadRead?.hex == Identifiers.payload(day: 3, period: 7))
        scene.run(milliseconds: 12_000)
        #expect(!phone.isConnected)
        #expect(try scene.readOnce(by: 2)?.payload == Identifiers.payload(day: 3, period: 8))
        #expect(scene.world.violations.isEmpty)
    }

    @Test func `HP-D06: a connection attempt neither delays a change nor outlives it`() throws {
        var scene = try Scene.worn(day: 3, period: 7, second: 340)
        let phone = try ScriptedPhone(1)
        phone.accepts = false
        scene.phones = [phone]
        scene.run(milliseconds: 18_000)
        let address = scene.controller.randomAddress
        scene.run { $0.controller.connectingTo != nil }
        scene.run { $0.controller.randomAddress != address }
        #expect(scene.controller.randomAddress != address)
        #expect(scene.world.violations.isEmpty)
        scene.run(milliseconds: 30_000)
        #expect(scene.world.violations.isEmpty)
        #expect(try scene.readOnce(by: 2)?.payload == Identifiers.payload(day: 3, period: 8))
    }

    @Test func `a reset controller gets the same address again`() throws {
        var scene = try Scene.worn(day: 3, period: 7, second: 10)
        scene.run(milliseconds: 2_000)
        let before = try scene.readOnce(by: 1)
        scene.controller.injectEvent(0x10, [0x20])
        scene.run(milliseconds: 10_000)
        #expect(scene.controller.commands.filter { $0 == .reset }.count == 2)
        #expect(try scene.readOnce(by: 2) == before)
        #expect(scene.world.violations.isEmpty)
    }

    @Test func `a change that is due while the controller is down happens when it is up`() throws {
        var scene = try Scene.worn(day: 3, period: 7, second: 340)
        scene.run(milliseconds: 2_000)
        scene.controller.faults.begin(.vanishedAdapter)
        scene.run(milliseconds: 25_000)
        scene.controller.faults.end(.vanishedAdapter)
        scene.run(milliseconds: 40_000)
        #expect(try scene.readOnce(by: 2)?.payload == Identifiers.payload(day: 3, period: 8))
        #expect(scene.world.violations.isEmpty)
    }

    @Test func `a refused address is set again before advertising and scanning restart`() throws {
        var scene = try Scene.worn(day: 3, period: 7, second: 350)
        scene.run(milliseconds: 5_000)
        let address = scene.controller.randomAddress
        scene.script.set(.refuse(.commandDisallowed), to: .leSetRandomAddress, times: 3)
        scene.run(milliseconds: 6_500)
        #expect(!scene.controller.isAdvertising && !scene.controller.isScanning)
        scene.run(milliseconds: 5_000)
        #expect(scene.controller.isAdvertising && scene.controller.isScanning)
        #expect(scene.controller.randomAddress != address)
        scene.run(milliseconds: 20_000)
        #expect(scene.world.faults.isEmpty)
    }
}
