import FixedMemory
import HCI

/// HCI commands. Source for all: Bluetooth Core 5.4, Vol 4, Part E, 7.
extension SimulatedController {
    func receive(_ packet: [UInt8]) {
        switch packet.first {
        case PacketIndicator.command.rawValue where packet.count >= 4 && Int(packet[3]) == packet.count - 4:
            let opCode = OpCode(rawValue: UInt16(packet[1]) | UInt16(packet[2]) << 8)
            perform(opCode, Array(packet[4...]))
        case PacketIndicator.aclData.rawValue where packet.count >= 5: receiveData(packet)
        default: recordViolation("a packet that is none")
        }
    }

    /// Handles the bytes of one packet from a UART, some of which may be missing or changed.
    func receive(stream bytes: [UInt8], isDamaged: Bool) {
        if isDamaged { mayBeGarbled = true }
        if hostStream.isInStep, !isDamaged { return receive(bytes) }
        hostStream.append(bytes, at: world.now)
        while let piece = hostStream.next() {
            switch piece {
            case .packet(let packet): receive(packet)
            case .lost: event(0x10, [Self.lostStepCode])
            }
        }
    }

    /// The Hardware Error code for lost synchronisation. Codes are vendor-specific.
    private static let lostStepCode: UInt8 = 0x01

    func answer(_ opCode: OpCode, _ status: Status, _ returned: [UInt8] = []) {
        // 7.8.53 returns the selected transmit power, also with an error status.
        let returned = opCode == .leSetExtendedAdvertisingParameters ? [0] : returned
        guard let late = delayOfAnswer(), script?.losesAnswer != true else { return }
        let code = [UInt8(opCode.rawValue & 255), UInt8(opCode.rawValue >> 8)]
        switch opCode {
        case .leCreateConnection, .leExtendedCreateConnection, .disconnect, .leConnectionUpdate:
            event(0x0f, [status.rawValue, 1] + code, after: profile.answerDelay + late)
        default:
            var delay = opCode == .reset ? profile.resetDelay : profile.answerDelay
            if opCode == .reset, faults.has(.slowReset) {
                delay = delay + .seconds(3) + faultRandom.duration(upTo: .seconds(6))
            }
            if faults.has(.statusFirst) {
                event(0x0f, [0, 1] + code, after: delay + late)
                delay = delay + .milliseconds(30)
            }
            event(0x0e, [1] + code + [status.rawValue] + returned, after: delay + late)
        }
    }

    /// The length of a command's parameters in bytes; nil for an unknown command.
    private static func parameterByteCount(_ opCode: OpCode) -> Int? {
        switch opCode {
        case .reset, .readLocalVersion, .readLocalSupportedCommands, .readBufferSize, .readDeviceAddress,
            .leReadBufferSize, .leReadLocalFeatures, .leCreateConnectionCancel:
            0
        case .setEventMask, .leSetEventMask: 8
        case .leSetRandomAddress: 6
        case .leSetAdvertisingParameters: 15
        case .leSetAdvertisingData, .leSetScanResponseData: 32
        case .leSetAdvertisingEnable: 1
        case .leSetScanParameters: 7
        case .leSetScanEnable, .leLongTermKeyRequestNegativeReply, .readRSSI: 2
        case .leCreateConnection: 25
        case .disconnect: 3
        case .leConnectionUpdate: 14
        default: nil
        }
    }

    private func perform(_ opCode: OpCode, _ parameters: [UInt8]) {
        checkCredit(opCode)
        script?.record(opCode, parameters)
        guard !isIgnored(opCode) else { return }
        guard let script else { return execute(opCode, parameters) }
        script.beforeCommand(opCode, parameters)
        if let reaction = script.reaction(to: opCode, parameters) {
            react(reaction, to: opCode, parameters)
        } else {
            execute(opCode, parameters)
        }
        script.afterCommand(opCode, parameters)
    }

    func execute(_ opCode: OpCode, _ parameters: [UInt8]) {
        if opCode.setsScanParameters { settings.hasRefusedForScan = false }
        guard !isRefusedByFault(opCode) else { return answer(opCode, .commandDisallowed) }
        guard takesFamily(of: opCode) else { return answer(opCode, .commandDisallowed) }
        if profile.hasExtendedCommands, opCode.isExtended { return performExtended(opCode, parameters) }
        guard let byteCount = Self.parameterByteCount(opCode) else { return answer(opCode, .unknownCommand) }
        guard parameters.count == byteCount else {
            recordViolation("command 0x\(String(opCode.rawValue, radix: 16)) with \(parameters.count) bytes")
            return answer(opCode, .invalidParameters)
        }
        let bytes = parameters.span
        switch opCode {
        case .reset:
            faults.hostDid(.reset)
            isWedged = false
            forgetEverything()
            checkCredit(opCode)
            answer(opCode, .success)
            if faults.has(.hardwareError) { resetWhileBroken() }
        case .setEventMask:
            settings.eventMask = bytes.loadUInt64(at: 0)
            answer(opCode, .success)
        case .leSetEventMask:
            settings.lowEnergyEventMask = bytes.loadUInt64(at: 0)
            answer(opCode, .success)
        case .leSetRandomAddress: setRandomAddress(parameters)
        case .leSetScanParameters: setScanParameters(parameters)
        case .leSetScanEnable: enableScan(parameters)
        case .leSetAdvertisingParameters: setAdvertisingParameters(parameters)
        case .leSetAdvertisingData, .leSetScanResponseData: setAdvertisingData(opCode, parameters)
        case .leSetAdvertisingEnable: enableAdvertising(parameters)
        case .leCreateConnection: createConnection(parameters)
        case .leCreateConnectionCancel: cancelConnection()
        case .disconnect: disconnect(parameters)
        case .leConnectionUpdate: updateConnection(parameters)
        case .readRSSI: readRSSI(parameters)
        case .leLongTermKeyRequestNegativeReply:
            // The answer is the same for every existing link, because no peer in the simulator requests
            // encryption.
            let isKnown = handles.contains { $0.handle == bytes.loadUInt16(at: 0) & 0xfff }
            answer(opCode, isKnown ? .commandDisallowed : .unknownConnection, Array(parameters[0..<2]))
        default:
            if opCode == .leReadBufferSize { mayHaveFalseBufferSize = faults.has(.corruptedStream) }
            answer(opCode, .success, information(opCode))
        }
    }

    private var saysExtendedFeature: Bool { profile.hasExtendedCommands || extendedCommandClaim != .truth }

    private var saysExtendedCommands: Bool {
        profile.hasExtendedCommands || extendedCommandClaim == .featureAndCommands
    }

    private func information(_ opCode: OpCode) -> [UInt8] {
        switch opCode {
        case .readLocalVersion:
            [
                profile.version, 0, 0, profile.version, UInt8(profile.manufacturer & 255),
                UInt8(profile.manufacturer >> 8), 0, 0,
            ]
        case .readDeviceAddress: profile.publicAddress.littleEndianBytes
        case .readLocalSupportedCommands:
            SupportedCommands { opCode in
                opCode.isExtended ? saysExtendedCommands : Self.parameterByteCount(opCode) != nil
            }.bytes
        // LE Extended Advertising is feature bit 12.
        case .leReadLocalFeatures: [0, saysExtendedFeature ? 0x10 : 0, 0, 0, 0, 0, 0, 0]
        case .leReadBufferSize:
            [
                UInt8(profile.aclByteCount & 255), UInt8(profile.aclByteCount >> 8),
                UInt8(profile.aclPacketCount),
            ]
        case .readBufferSize: [0xfd, 0x03, 0, 8, 0, 0, 0]
        default: []
        }
    }
}

extension OpCode {
    static let leSetScanResponseData = OpCode(rawValue: 0x2009)

    var setsScanParameters: Bool { self == .leSetScanParameters || self == .leSetExtendedScanParameters }
}

extension Status {
    static let connectionExists = Status(rawValue: 0x0b)
}

extension DeviceAddress {
    var littleEndianBytes: [UInt8] { (0..<6).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) } }
}
