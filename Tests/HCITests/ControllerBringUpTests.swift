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
    private func bringUp(
        _ publicAddressUse: PublicAddressUse = .never, answering answer: (OpCode) -> [UInt8]
    ) throws -> (ControllerBringUp, [OpCode]) {
        var bringUp = ControllerBringUp(randomAddress: Self.address, publicAddressUse: publicAddressUse)
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

    @Test(arguments: [
        OpCode.readLocalVersion, .readDeviceAddress, .readLocalSupportedCommands, .leReadLocalFeatures,
    ])
    func `a question that only informs may be refused, or answered too briefly`(_ opCode: OpCode) throws {
        for spoilt in [[1], [0x12], [0, 1], []] as [[UInt8]] {
            let (bringUp, sent) = try bringUp { $0 == opCode ? spoilt : answer($0) }
            #expect(bringUp.isComplete && sent.last == .leSetRandomAddress)
            #expect(bringUp.information.isIncomplete)
        }
    }

    @Test func `without any answer about buffers one packet of 27 bytes is sent at a time`() throws {
        let (bringUp, sent) = try bringUp {
            $0 == .leReadBufferSize || $0 == .readBufferSize ? [1] : answer($0)
        }
        #expect(bringUp.isComplete && sent.contains(.readBufferSize))
        #expect(bringUp.information.aclDataByteCount == 27)
        #expect(bringUp.information.aclPacketCount == 1)
    }

    @Test(arguments: [OpCode.setEventMask, .leSetEventMask])
    func `one of the event masks may be refused`(_ opCode: OpCode) throws {
        let bringUp = try bringUp { $0 == opCode ? [0x12] : answer($0) }.0
        #expect(bringUp.isComplete)
        #expect(bringUp.information.refusesEventMask == (opCode == .setEventMask))
        #expect(bringUp.information.refusesLowEnergyEventMask == (opCode == .leSetEventMask))
    }

    @Test func `extended commands are not used if their reports cannot be asked for`() throws {
        let bringUp = try bringUp {
            switch $0 {
            case .leSetEventMask: [0x12]
            case .leReadLocalFeatures: [0, 0, 0x10, 0, 0, 0, 0, 0, 0]
            default: answer($0)
            }
        }.0
        #expect(!bringUp.information.hasExtendedCommands)
    }

    @Test func `a controller that refuses both event masks cannot be used`() {
        #expect(throws: BringUpError.refused(.leSetEventMask, .unknownCommand)) {
            try bringUp { $0 == .setEventMask || $0 == .leSetEventMask ? [1] : answer($0) }
        }
    }

    @Test func `a controller that refuses the reset cannot be used`() {
        #expect(throws: BringUpError.refused(.reset, .commandDisallowed)) {
            try bringUp { $0 == .reset ? [0x0c] : answer($0) }
        }
        #expect(throws: BringUpError.truncatedAnswer(.reset)) {
            try bringUp { $0 == .reset ? [] : answer($0) }
        }
    }

    @Test(arguments: [1, 0x0c, 0x12] as [UInt8])
    func `the public address takes the place of a random one that is refused, where it may`(status: UInt8)
        throws
    {
        let refusing: (OpCode) -> [UInt8] = { $0 == .leSetRandomAddress ? [status] : answer($0) }
        let bringUp = try bringUp(.ifNeeded, answering: refusing).0
        #expect(bringUp.isComplete && bringUp.information.usesPublicAddress)
        #expect(throws: BringUpError.refused(.leSetRandomAddress, Status(rawValue: status))) {
            try self.bringUp(.never, answering: refusing)
        }
        #expect(throws: BringUpError.refused(.leSetRandomAddress, Status(rawValue: status))) {
            try self.bringUp(.ifNeeded) { $0 == .readDeviceAddress ? [0, 0, 0, 0, 0, 0, 0] : refusing($0) }
        }
    }

    @Test func `a board that is to use its public address sets no random one`() throws {
        let (bringUp, sent) = try bringUp(.always, answering: answer)
        #expect(bringUp.isComplete && bringUp.information.usesPublicAddress)
        #expect(!sent.contains(.leSetRandomAddress))
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

    @Test(arguments: [(OpCode.readDeviceAddress, 5_000), (.reset, 11_000)] as [(OpCode, Instant)])
    func `an overdue answer is detected, that to a reset later`(_ opCode: OpCode, _ due: Instant) {
        var slot = CommandSlot()
        slot.didSend(opCode, at: 1_000)
        #expect(slot.overdue(at: due.earlier(by: 1)) == nil)
        #expect(slot.overdue(at: due) == opCode)
    }

    @Test func `a Command Status without an error does not end a command that Command Complete answers`() {
        var slot = CommandSlot()
        slot.didSend(.leSetScanEnable, at: 0)
        let isAnswer = slot.didReceiveAnswer(to: .leSetScanEnable, credits: 1, isFinal: false, at: 30)
        #expect(!isAnswer)
        #expect(slot.pending == .leSetScanEnable)
        #expect(slot.overdue(at: 4_000) == .leSetScanEnable)
    }

    @Test func `an answer to a command that was never sent changes no credits`() {
        var slot = CommandSlot()
        _ = slot.didReceiveAnswer(to: OpCode(rawValue: 0xfc18), credits: 0, at: 1_000)
        #expect(slot.canSend)
        #expect(slot.overdue(at: 60_000) == nil)
        slot.didSend(.reset, at: 60_000)
        _ = slot.didReceiveAnswer(to: .reset, credits: 0, at: 60_001)
        _ = slot.didReceiveAnswer(to: OpCode(rawValue: 0xfc18), credits: 9, at: 60_002)
        #expect(!slot.canSend)
    }
}
