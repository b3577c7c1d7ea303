import FixedMemory
import HCI
import TestSupport
import Testing

@Suite struct ControllerBringUpTests {
    static let address = DeviceAddress.staticRandom(seed: 0x1234)

    private func answer(_ opCode: OpCode) -> [UInt8] {
        switch opCode {
        case .readLocalVersion: [UInt8](hex: "00 07 3412 07 0f00 7856")
        case .readDeviceAddress: [UInt8](hex: "00 665544332211")
        case .readLocalSupportedCommands: [0] + [UInt8](repeating: 0xff, count: 64)
        case .leReadLocalFeatures: [UInt8](hex: "00 0100000000000000")
        case .leReadBufferSize: [UInt8](hex: "00 fb00 08")
        case .readBufferSize: [UInt8](hex: "00 3601 40 0a00 0800")
        default: [0]
        }
    }

    /// Runs the bring-up; a test may pass an `answer` that spoils some replies.
    private func bringUp(answering answer: (OpCode) -> [UInt8]) throws -> (ControllerBringUp, [OpCode]) {
        var bringUp = ControllerBringUp(randomAddress: Self.address)
        var sent: [OpCode] = []
        while let command = bringUp.command, sent.count < 20 {
            sent.append(command.opCode)
            try bringUp.accept(answer(command.opCode).span)
        }
        return (bringUp, sent)
    }

    @Test func `both event masks are set right after the reset`() throws {
        let (bringUp, sent) = try bringUp(answering: answer)
        #expect(sent.prefix(3) == [.reset, .setEventMask, .leSetEventMask])
        #expect(bringUp.isComplete)
    }

    @Test func `bring-up reads the controller's properties`() throws {
        let information = try bringUp(answering: answer).0.information
        #expect(information.hciVersion == 7)
        #expect(information.manufacturer == 15)
        #expect(information.publicAddress.value == 0x1122_3344_5566)
        #expect(information.aclDataByteCount == 251)
        #expect(information.aclPacketCount == 8)
    }

    @Test(
        arguments: [
            (0x10, 0x2e, 0xe0, true), (0x00, 0x2e, 0xe0, false), (0x10, 0x2c, 0xe0, false),
            (0x10, 0x0e, 0xe0, false), (0x10, 0x2e, 0x60, false), (0x10, 0x2e, 0xc0, false),
        ] as [(UInt8, UInt8, UInt8, Bool)])
    func `extended commands need the feature bit and the command bits`(
        features: UInt8, advertising: UInt8, scanning: UInt8, has: Bool
    ) throws {
        let information = try bringUp { opCode in
            switch opCode {
            case .readLocalSupportedCommands:
                [UInt8](repeating: 0, count: 37) + [advertising, scanning] + [UInt8](repeating: 0, count: 26)
            case .leReadLocalFeatures: [0, 0, features, 0, 0, 0, 0, 0, 0]
            default: answer(opCode)
            }
        }.0.information
        #expect(information.hasExtendedCommands == has)
    }

    @Test func `without buffers for LE, the shared buffers are used`() throws {
        let (bringUp, sent) = try bringUp { $0 == .leReadBufferSize ? [0, 0, 0, 0] : answer($0) }
        #expect(sent.contains(.readBufferSize))
        #expect(bringUp.information.aclDataByteCount == 310)
        #expect(bringUp.information.aclPacketCount == 10)
    }

    @Test func `the last command sets the random address`() throws {
        let (_, sent) = try bringUp(answering: answer)
        #expect(sent.last == .leSetRandomAddress)
        let packet = Command.leSetRandomAddress(Self.address).packet
        #expect((0..<packet.count).map { packet[$0] } == [UInt8](hex: "01 0520 06 3412000000c0"))
    }

    @Test func `the error names the command that the controller refused`() {
        #expect(throws: BringUpError.refused(.leSetEventMask, .unknownCommand)) {
            try bringUp { $0 == .leSetEventMask ? [1] : answer($0) }
        }
    }

    @Test func `the error names the command with a short answer`() {
        #expect(throws: BringUpError.truncatedAnswer(.readDeviceAddress)) {
            try bringUp { $0 == .readDeviceAddress ? [0, 1] : answer($0) }
        }
    }
}

@Suite struct CommandSlotTests {
    @Test func `only the answer to the pending command counts`() {
        var slot = CommandSlot()
        slot.didSend(.reset, at: 0)
        let late = slot.didReceiveAnswer(to: .leSetScanEnable, credits: 1, at: 1_000)
        #expect(!late)
        #expect(slot.pending == .reset)
        let right = slot.didReceiveAnswer(to: .reset, credits: 1, at: 1_000)
        #expect(right)
        let duplicate = slot.didReceiveAnswer(to: .reset, credits: 1, at: 1_000)
        #expect(!duplicate)
    }

    @Test func `a command waits for credits`() {
        var slot = CommandSlot()
        slot.didSend(.reset, at: 0)
        _ = slot.didReceiveAnswer(to: .reset, credits: 0, at: 1_000)
        #expect(!slot.canSend)
        _ = slot.didReceiveAnswer(to: .none, credits: 1, at: 1_000)
        #expect(slot.canSend)
    }

    @Test func `an overdue answer is detected`() {
        var slot = CommandSlot()
        slot.didSend(.reset, at: 1_000)
        #expect(slot.overdue(at: 4_999) == nil)
        #expect(slot.overdue(at: 5_000) == .reset)
    }
}
