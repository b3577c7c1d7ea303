import HCI
import Simulator
import Testing

@testable import Agent
@testable import Radio

/// Tests controllers that lack extended commands despite Bluetooth 5.0, or despite listing them as supported.
@Suite struct FalseCommandTests {
    private static func scene(_ change: (BoardWorld) -> Void) throws -> Scene {
        let world = BoardWorld()
        world.controller.profile.hasExtendedCommands = true
        change(world)
        return try Scene("radio.extended_commands=true", in: world)
    }

    private static func isExtended(_ controller: SimulatedController) -> Bool {
        controller.commands.contains { $0.isExtended }
    }

    @Test(arguments: [(36, 1), (36, 2), (36, 3), (36, 5), (37, 5), (37, 6), (37, 7)])
    func `A controller that does not list every extended command is sent none`(
        octet: Int, bit: UInt8
    ) throws {
        var supported = [UInt8](repeating: 0xff, count: 64)
        supported[octet] &= ~(1 << bit)
        var scene = try Self.scene { $0.script.set(.succeed(supported), to: .readLocalSupportedCommands) }
        scene.run(milliseconds: 1_000)
        #expect(!Self.isExtended(scene.controller))
        #expect(scene.controller.isScanning && scene.controller.isAdvertising)
    }

    @Test func `The extended commands and the feature bit suffice for their use`() throws {
        var supported = [UInt8](repeating: 0, count: 64)
        supported[36] = 0x2e
        supported[37] = 0xe0
        var scene = try Self.scene { $0.script.set(.succeed(supported), to: .readLocalSupportedCommands) }
        scene.run(milliseconds: 1_000)
        #expect(scene.controller.commands.contains(.leSetExtendedScanEnable))
        scene = try Self.scene { $0.controller.profile.hasExtendedCommands = false }
        scene.run(milliseconds: 1_000)
        #expect(!Self.isExtended(scene.controller))
    }

    @Test(
        arguments: [
            .leSetExtendedAdvertisingParameters, .leSetAdvertisingSetRandomAddress,
            .leSetExtendedAdvertisingData, .leSetExtendedAdvertisingEnable, .leSetExtendedScanParameters,
            .leSetExtendedScanEnable, .leExtendedCreateConnection,
        ] as [OpCode])
    func `A listed extended command that is unknown costs one reset, and is never sent again`(
        opCode: OpCode
    ) throws {
        let phone = try ScriptedPhone(1)
        var scene = try Self.scene {
            $0.script.set(.refuse(.unknownCommand), to: opCode)
            $0.phones = [phone]
        }
        scene.run(milliseconds: 20_000)
        let commands = scene.controller.commands
        let refused = commands.filter { $0 == opCode }.count
        let resets = commands.indices.filter { commands[$0] == .reset }
        #expect(refused == 1 && resets.count == 2)
        #expect(!commands[(resets.last ?? 0)...].contains { $0.isExtended })
        #expect(scene.controller.isScanning && scene.controller.isAdvertising && phone.linkCount > 0)
        #expect(scene.radioStatus.state == .up)
        #expect(scene.world.faults == [.bringUp(.refused(opCode, .unknownCommand))])

        // The command is not sent after another fault either.
        scene.controller.injectEvent(0x10, [0x42])
        scene.run(milliseconds: 20_000)
        #expect(scene.controller.commands.filter { $0 == .reset }.count == 3)
        #expect(scene.controller.commands.filter { $0 == opCode }.count == 1)
        #expect(scene.controller.isScanning && scene.controller.isAdvertising)
    }
}
