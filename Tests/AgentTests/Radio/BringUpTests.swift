import FixedMemory
import HCI
import Radio
import TestSupport
import Testing

@Suite struct BringUpTests {
    @Test func `bring-up resets and queries the controller, then advertises and scans`() throws {
        var scene = try Scene()
        scene.settle()
        #expect(
            scene.controller.commands == [
                .reset, .setEventMask, .leSetEventMask, .readLocalVersion, .readDeviceAddress,
                .readLocalSupportedCommands, .leReadLocalFeatures, .leReadBufferSize, .leSetRandomAddress,
                .leSetAdvertisingParameters, .leSetAdvertisingData, .leSetAdvertisingEnable,
                .leSetScanParameters, .leSetScanEnable,
                // The proof: a controller that scans refuses them.
                .leSetScanParameters,
            ])
        #expect(scene.controller.isScanning && scene.controller.isAdvertising)
        #expect(scene.world.violations.isEmpty)
        #expect(scene.world.notices.contains { $0.radioUp != nil })
    }

    @Test func `the board advertises Herald's services under a static random address`() throws {
        var scene = try Scene("radio.address=C0:11:22:33:44:55")
        scene.settle()
        #expect(
            scene.controller.advertisingData.hex == "0201060303f6fc11079bfd5bd672451e80d3424647af328142020a08"
        )
        #expect(scene.controller.randomAddress.hex == "5544332211c0")
        let address = DeviceAddress(value: 0xc011_2233_4455, isRandom: true)
        #expect(scene.world.notices.contains { $0.radioUp?.address == address })
    }

    @Test func `a beacon sends under the controller's address if that refuses random ones`() throws {
        var scene = try Scene()
        scene.script.set(.refuse(.unknownCommand), to: .leSetRandomAddress)
        try expectPublicAddress(&scene, restrictions: .randomAddressRefused)
    }

    @Test func `a beacon sends under the controller's address if it is configured so`() throws {
        var scene = try Scene("radio.address=public")
        try expectPublicAddress(&scene, restrictions: .none)
        #expect(!scene.controller.commands.contains(.leSetRandomAddress))
    }

    /// Expects that scanning, adverts, attempts and the log have the public address.
    private func expectPublicAddress(
        _ scene: inout Scene, restrictions: RadioUpNotice.Restrictions
    ) throws {
        let phone = try ScriptedPhone(1)
        scene.phones = [phone]
        scene.run(milliseconds: 10_000)
        let address = DeviceAddress(value: 0x1122_3344_5566, isRandom: false)
        #expect(scene.world.notices.compactMap(\.radioUp?.address) == [address])
        #expect(scene.world.notices.compactMap(\.radioUp?.restrictions) == [restrictions])
        #expect(scene.controller.isScanning && scene.controller.isAdvertising && phone.linkCount == 1)
        let ownTypes = [
            (OpCode.leSetScanParameters, 5), (.leSetAdvertisingParameters, 5), (.leCreateConnection, 12),
        ]
        for (opCode, place) in ownTypes {
            let index = try #require(scene.controller.commands.lastIndex(of: opCode))
            #expect(scene.controller.parameters[index][place] == 0)
        }
        scene.stop()
        let own = scene.world.medium.entries.compactMap(\.ownIdentity)
        #expect(own.allSatisfy { $0.addressType == 0 && $0.address == address.bytes } && !own.isEmpty)
    }

    @Test func `a wearable does not send under an address that never changes`() throws {
        var scene = try Scene(options: ["agent.role=wearable"])
        scene.script.set(.refuse(.unknownCommand), to: .leSetRandomAddress)
        scene.run(milliseconds: 30_000)
        #expect(!scene.controller.isAdvertising && !scene.controller.isScanning)
        #expect(scene.world.faults.contains(.bringUp(.refused(.leSetRandomAddress, .unknownCommand))))
    }

    @Test func `the log's identity gives the address if none is configured`() throws {
        var scene = try Scene()
        scene.settle()
        let first = scene.controller.randomAddress
        let world = scene.world
        scene = try Scene(in: world)
        scene.settle()
        #expect(scene.controller.randomAddress == first)
        #expect(first.last.map { $0 >> 6 } == 3)
    }

    @Test func `HP-C04: scanning and advertising can each be switched off, and a notice reports it`() throws {
        var scene = try Scene("radio.scan=false")
        scene.run(milliseconds: 5_000)
        #expect(!scene.controller.isScanning && scene.controller.isAdvertising)
        #expect(scene.world.notices.compactMap(\.radioUp?.restrictions) == [.scanningDisabled])
        scene = try Scene("radio.advertise=false")
        scene.run(milliseconds: 5_000)
        #expect(scene.controller.isScanning && !scene.controller.isAdvertising)
        #expect(scene.world.notices.compactMap(\.radioUp?.restrictions) == [.advertisingDisabled])
    }

    @Test func `a controller that refuses to scan while advertising alternates between them`() throws {
        var scene = try Scene()
        scene.controller.profile.sharesRoles = false
        var (scanned, advertised) = (0, 0)
        for _ in 0..<600 {
            scene.run(milliseconds: 100)
            #expect(!(scene.controller.isScanning && scene.controller.isAdvertising))
            if scene.controller.isScanning { scanned += 1 }
            if scene.controller.isAdvertising { advertised += 1 }
        }
        #expect((350...450).contains(scanned))
        #expect((150...250).contains(advertised))
        #expect(!scene.world.hasHardFault)
    }

    @Test func `a refused start is repeated together with its parameters`() throws {
        var scene = try Scene()
        scene.script.set(.refuse(.invalidParameters), to: .leSetScanEnable, times: 2)
        scene.script.set(.refuse(.invalidParameters), to: .leSetAdvertisingEnable, times: 2)
        scene.script.set(.refuse(.invalidParameters), to: .leSetAdvertisingData, times: 1)
        scene.run(milliseconds: 10_000)
        #expect(scene.controller.isScanning && scene.controller.isAdvertising)
        #expect(scene.controller.commands.filter { $0 == .leSetScanParameters }.count == 4)
        #expect(scene.controller.commands.count < 50)
    }

    @Test func `a refused stop counts as stopped`() throws {
        var scene = try Scene()
        let phone = try ScriptedPhone(1)
        scene.phones = [phone]
        scene.settle()
        scene.script.set(.refuse(.commandDisallowed), to: .leSetScanEnable, times: 1)
        scene.run { _ in phone.linkCount > 0 }
        #expect(phone.linkCount == 1)
    }
}
