import FixedMemory
import HCI
import TestSupport
import Testing

/// Answers that are not final, and answers to commands that the agent never sent.
@Suite struct UnrequestedAnswerTests {
    private static let commandComplete: UInt8 = 0x0e
    private static let commandStatus: UInt8 = 0x0f

    @Test func `a Command Status without an error does not start the scan`() throws {
        var scene = try Scene()
        scene.script.set(.ignore, to: .leSetScanEnable)
        scene.settle()
        scene.controller.injectEvent(Self.commandStatus, [UInt8](hex: "00 01 0c 20"))
        scene.run(milliseconds: 3_000)
        #expect(!scene.controller.isScanning)
        scene.controller.performIgnored()
        scene.script.endAll()
        scene.settle()
        #expect(scene.controller.isScanning)
        #expect(scene.radioStatus.rungs.total == 0)
    }

    @Test func `a command that only gets a Command Status is overdue after four seconds`() throws {
        var scene = try Scene()
        scene.script.set(.ignore, to: .leSetScanEnable, times: 1)
        scene.settle()
        scene.controller.injectEvent(Self.commandStatus, [UInt8](hex: "00 01 0c 20"))
        scene.run(milliseconds: 5_000)
        #expect(scene.radioStatus.lastFault == .commandTimeout)
        #expect(scene.controller.isScanning)
    }

    @Test(arguments: [OpCode.reset, .leSetEventMask, .readDeviceAddress])
    func `the bring-up waits for Command Complete after a Command Status`(_ opCode: OpCode) throws {
        var scene = try Scene()
        scene.script.set(.ignore, to: opCode, times: 1)
        scene.settle()
        let code = [UInt8(opCode.rawValue & 255), UInt8(opCode.rawValue >> 8)]
        scene.controller.injectEvent(Self.commandStatus, [0, 1] + code)
        scene.run(milliseconds: 100)
        #expect(scene.controller.commands.last == opCode)
        scene.controller.performIgnored()
        scene.settle()
        #expect(scene.controller.isScanning && scene.controller.isAdvertising)
        #expect(scene.radioStatus.rungs.total == 0)
    }

    @Test(arguments: [
        (commandComplete, "00 18 fc 00"), (commandComplete, "00 16 20 00"), (commandComplete, "00 03 0c 00"),
        (commandStatus, "00 00 05 04"),
    ])
    func `an answer without credits to a command never sent changes nothing`(
        code: UInt8, parameters: String
    ) throws {
        var scene = try Scene()
        scene.run(milliseconds: 1_000)
        scene.controller.injectEvent(code, [UInt8](hex: parameters))
        scene.run(milliseconds: 60_000)
        #expect(scene.radioStatus.rungs.total == 0)
        #expect(scene.radioStatus.lastFault == nil)
    }
}
