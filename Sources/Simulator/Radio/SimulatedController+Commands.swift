import FixedMemory
import HCI

/// Commands. Source for all: Bluetooth Core 5.4, Vol 4, Part E, 7.
extension SimulatedController {
    func receive(_ packet: [UInt8]) {
        switch packet.first {
        case PacketIndicator.command.rawValue where packet.count >= 4 && Int(packet[3]) == packet.count - 4:
            let opCode = OpCode(rawValue: UInt16(packet[1]) | UInt16(packet[2]) << 8)
            perform(opCode, Array(packet[4...]))
        case PacketIndicator.aclData.rawValue where packet.count >= 5: receiveData(packet)
        default: noteViolation("a packet that is none")
        }
    }

    func answer(_ opCode: OpCode, _ status: Status, _ returned: [UInt8] = []) {
        guard let late = delayOfAnswer() else { return }
        let code = [UInt8(opCode.rawValue & 255), UInt8(opCode.rawValue >> 8)]
        switch opCode {
        case .leCreateConnection, .disconnect, .leConnectionUpdate:
            event(0x0f, [status.rawValue, 1] + code, after: profile.answerDelay + late)
        default:
            event(
                0x0e, [1] + code + [status.rawValue] + returned,
                after: (opCode == .reset ? profile.resetDelay : profile.answerDelay) + late)
        }
    }

    /// Bytes of parameters; nil for a command that is not known.
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
        case .leSetScanEnable, .leLongTermKeyRequestNegativeReply: 2
        case .leCreateConnection: 25
        case .disconnect: 3
        case .leConnectionUpdate: 14
        default: nil
        }
    }

    private func perform(_ opCode: OpCode, _ parameters: [UInt8]) {
        guard !isIgnored(opCode) else { return }
        guard !isRefusedByFault(opCode) else { return answer(opCode, .commandDisallowed) }
        guard let byteCount = Self.parameterByteCount(opCode) else { return answer(opCode, .unknownCommand) }
        guard parameters.count == byteCount else {
            noteViolation("command 0x\(String(opCode.rawValue, radix: 16)) with \(parameters.count) bytes")
            return answer(opCode, .invalidParameters)
        }
        let bytes = parameters.span
        switch opCode {
        case .reset:
            faults.hostDid(.reset)
            isWedged = false
            forgetEverything()
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
        case .leLongTermKeyRequestNegativeReply:
            // Nobody here asks for keys.
            let isKnown = handles.contains { $0.handle == bytes.loadUInt16(at: 0) & 0xfff }
            answer(opCode, isKnown ? .commandDisallowed : .unknownConnection, Array(parameters[0..<2]))
        default: answer(opCode, .success, information(opCode))
        }
    }

    private func information(_ opCode: OpCode) -> [UInt8] {
        switch opCode {
        case .readLocalVersion:
            [
                profile.version, 0, 0, profile.version, UInt8(profile.manufacturer & 255),
                UInt8(profile.manufacturer >> 8), 0, 0,
            ]
        case .readDeviceAddress: profile.publicAddress.littleEndianBytes
        case .readLocalSupportedCommands: [UInt8](repeating: 0xff, count: 64)
        case .leReadLocalFeatures: [UInt8](repeating: 0, count: 8)
        case .leReadBufferSize:
            [
                UInt8(profile.aclByteCount & 255), UInt8(profile.aclByteCount >> 8),
                UInt8(profile.aclPacketCount),
            ]
        case .readBufferSize: [0xfd, 0x03, 0, 8, 0, 0, 0]
        default: []
        }
    }

    private func setRandomAddress(_ parameters: [UInt8]) {
        guard !settings.isScanning, !settings.isAdvertising, settings.attempt == nil else {
            return answer(.leSetRandomAddress, .commandDisallowed)
        }
        settings.randomAddress = DeviceAddress(
            littleEndian: parameters.span.loadUInt48(at: 0), addressType: 1)
        answer(.leSetRandomAddress, .success)
    }

    /// A role is about to be started: that cures some faults.
    private func noteStart(of action: FaultCure, _ isStart: Bool) {
        guard isStart else { return }
        faults.hostDid(settings.isScanning || settings.isAdvertising ? action : .rolesRestart)
    }

    // MARK: Scanning

    private static func isScanTiming(_ interval: UInt16, _ window: UInt16) -> Bool {
        (0x0004...0x4000).contains(interval) && (0x0004...0x4000).contains(window) && window <= interval
    }

    private func setScanParameters(_ parameters: [UInt8]) {
        let (interval, window) = (parameters.span.loadUInt16(at: 1), parameters.span.loadUInt16(at: 3))
        guard !settings.isScanning else { return answer(.leSetScanParameters, .commandDisallowed) }
        guard parameters[0] <= 1, Self.isScanTiming(interval, window), parameters[5] <= 3, parameters[6] <= 3
        else { return answer(.leSetScanParameters, .invalidParameters) }
        settings.isScanActive = parameters[0] == 1
        settings.scanInterval = interval
        settings.scanWindow = window
        settings.scanUsesRandomAddress = parameters[5] & 1 == 1
        answer(.leSetScanParameters, .success)
    }

    private func enableScan(_ parameters: [UInt8]) {
        guard parameters[0] <= 1, parameters[1] <= 1 else {
            return answer(.leSetScanEnable, .invalidParameters)
        }
        if parameters[0] == 1 {
            guard ownAddress(settings.scanUsesRandomAddress) != nil else {
                return answer(.leSetScanEnable, .invalidParameters)
            }
            guard !settings.isAdvertising || profile.sharesRoles else {
                return answer(.leSetScanEnable, .commandDisallowed)
            }
        }
        noteStart(of: .scanRestart, parameters[0] == 1 && !settings.isScanning)
        settings.isScanning = parameters[0] == 1
        settings.filtersDuplicates = parameters[1] == 1
        clearReported()
        updateAir()
        answer(.leSetScanEnable, .success)
    }

    // MARK: Advertising

    private func setAdvertisingParameters(_ parameters: [UInt8]) {
        let opCode = OpCode.leSetAdvertisingParameters
        let (shortest, longest) = (parameters.span.loadUInt16(at: 0), parameters.span.loadUInt16(at: 2))
        let type = parameters[4]
        guard !settings.isAdvertising else { return answer(opCode, .commandDisallowed) }
        guard type <= 4, parameters[5] <= 3, parameters[6] <= 1, (1...7).contains(parameters[13]),
            parameters[14] <= 3
        else { return answer(opCode, .invalidParameters) }
        // Before 5.0, without being connectable not more often than every 100 ms.
        let bound: UInt16 = profile.version < 9 && (type == 2 || type == 3) ? 0xa0 : 0x20
        guard type == 1 || (bound...0x4000).contains(shortest) && (shortest...0x4000).contains(longest) else {
            return answer(opCode, .invalidParameters)
        }
        settings.advertisingInterval = max(longest, 0x20)
        settings.advertisingType = type
        settings.advertisingUsesRandomAddress = parameters[5] & 1 == 1
        answer(opCode, .success)
    }

    private func setAdvertisingData(_ opCode: OpCode, _ parameters: [UInt8]) {
        guard !settings.isAdvertising || profile.takesDataWhileAdvertising else {
            return answer(opCode, .commandDisallowed)
        }
        guard parameters[0] <= 31 else { return answer(opCode, .invalidParameters) }
        let data = Array(parameters[1...].prefix(Int(parameters[0])))
        if opCode == .leSetAdvertisingData {
            settings.advertisingData = data
        } else {
            settings.scanResponseData = data
        }
        updateAir()
        answer(opCode, .success)
    }

    private func enableAdvertising(_ parameters: [UInt8]) {
        let opCode = OpCode.leSetAdvertisingEnable
        guard parameters[0] <= 1 else { return answer(opCode, .invalidParameters) }
        if parameters[0] == 1, !settings.isAdvertising {
            guard ownAddress(settings.advertisingUsesRandomAddress) != nil else {
                return answer(opCode, .invalidParameters)
            }
            let isConnectable = settings.advertisingType == 0
            guard !settings.isScanning || profile.sharesRoles,
                !isConnectable || handles.isEmpty || profile.isConnectableBesideLinks
            else { return answer(opCode, .commandDisallowed) }
            guard !isConnectable || handles.count < profile.linkLimit else {
                return answer(opCode, .connectionLimitExceeded)
            }
        }
        noteStart(of: .byItself, parameters[0] == 1 && !settings.isAdvertising)
        settings.isAdvertising = parameters[0] == 1
        updateAir()
        answer(opCode, .success)
    }

    // MARK: Connections

    private func createConnection(_ parameters: [UInt8]) {
        let opCode = OpCode.leCreateConnection
        let bytes = parameters.span
        let (interval, window) = (bytes.loadUInt16(at: 0), bytes.loadUInt16(at: 2))
        guard settings.attempt == nil else { return answer(opCode, .commandDisallowed) }
        guard Self.isScanTiming(interval, window), parameters[4] == 0, parameters[5] <= 3,
            parameters[12] <= 3,
            let link = Self.linkParameters(parameters, at: 13),
            ownAddress(parameters[12] & 1 == 1) != nil
        else { return answer(opCode, .invalidParameters) }
        let peer = DeviceAddress(littleEndian: bytes.loadUInt48(at: 6), addressType: parameters[5])
        guard handles.count < profile.linkLimit else { return answer(opCode, .connectionLimitExceeded) }
        guard !handles.contains(where: { $0.peer == peer }) else { return answer(opCode, .connectionExists) }
        if settings.isAdvertising, faults.has(.wedgeWhenConnecting) {
            isWedged = true
            return updateAir()
        }
        settings.attempt = Attempt(
            peer: peer, usesRandomAddress: parameters[12] & 1 == 1, scanInterval: interval,
            scanWindow: window,
            parameters: link, start: world.now)
        updateAir()
        answer(opCode, .success)
    }

    /// Interval (2, 2), latency (2), supervision time-out (2), event lengths (2, 2).
    private static func linkParameters(_ parameters: [UInt8], at offset: Int) -> LinkParameters? {
        let bytes = parameters.span
        let (shortest, longest) = (bytes.loadUInt16(at: offset), bytes.loadUInt16(at: offset + 2))
        let (latency, supervision) = (bytes.loadUInt16(at: offset + 4), bytes.loadUInt16(at: offset + 6))
        guard (6...0xc80).contains(shortest), (shortest...0xc80).contains(longest), latency <= 0x1f3,
            (0x0a...0xc80).contains(supervision),
            // In units of 1.25 ms: longer than twice the longest silence that the parameters allow.
            UInt32(supervision) * 8 > (1 + UInt32(latency)) * UInt32(longest) * 2,
            bytes.loadUInt16(at: offset + 8) <= bytes.loadUInt16(at: offset + 10)
        else { return nil }
        var link = LinkParameters()
        link.interval = .microseconds(UInt64(shortest) * 1_250)
        link.supervision = .milliseconds(UInt64(supervision) * 10)
        return link
    }

    private func cancelConnection() {
        guard let attempt = settings.attempt else {
            return answer(.leCreateConnectionCancel, .commandDisallowed)
        }
        settings.attempt = nil
        updateAir()
        answer(.leCreateConnectionCancel, .success)
        connectionComplete(.unknownConnection, handle: 0, role: 0, peer: attempt.peer, LinkParameters())
    }

    private func disconnect(_ parameters: [UInt8]) {
        let handle = parameters.span.loadUInt16(at: 0)
        let reasons: [UInt8] = [0x05, 0x13, 0x14, 0x15, 0x1a, 0x29, 0x3b]
        guard let index = handles.firstIndex(where: { $0.handle == handle }) else {
            return answer(.disconnect, .unknownConnection)
        }
        guard reasons.contains(parameters[2]) else { return answer(.disconnect, .invalidParameters) }
        answer(.disconnect, .success)
        handles[index].link.disconnect(by: self, reason: parameters[2])
    }

    private func updateConnection(_ parameters: [UInt8]) {
        let handle = parameters.span.loadUInt16(at: 0)
        guard let link = handles.first(where: { $0.handle == handle })?.link else {
            return answer(.leConnectionUpdate, .unknownConnection)
        }
        guard let wanted = Self.linkParameters(parameters, at: 2) else {
            return answer(.leConnectionUpdate, .invalidParameters)
        }
        link.parameters = wanted
        answer(.leConnectionUpdate, .success)
        event(
            0x3e,
            [3, 0, UInt8(handle & 255), UInt8(handle >> 8)] + Self.bytes(of: wanted),
            after: wanted.interval * 6)
    }

    /// Interval in 1.25 ms, latency, supervision time-out in 10 ms.
    static func bytes(of parameters: LinkParameters) -> [UInt8] {
        let interval = UInt16(truncatingIfNeeded: parameters.interval.microseconds / 1_250)
        let supervision = UInt16(truncatingIfNeeded: parameters.supervision.milliseconds / 10)
        return [
            UInt8(interval & 255), UInt8(interval >> 8), 0, 0, UInt8(supervision & 255),
            UInt8(supervision >> 8),
        ]
    }
}

extension OpCode {
    static let leSetScanResponseData = OpCode(rawValue: 0x2009)
}

extension Status {
    static let connectionLimitExceeded = Status(rawValue: 0x09)
    static let connectionExists = Status(rawValue: 0x0b)
}

extension DeviceAddress {
    var littleEndianBytes: [UInt8] { (0..<6).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) } }
}
