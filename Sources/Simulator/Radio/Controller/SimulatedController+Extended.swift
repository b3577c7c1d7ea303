import FixedMemory
import HCI

/// The extended commands of a controller with one advertising set. Each is translated to the legacy command
/// with the same effect. Source: Bluetooth Core 5.4, Vol 4, Part E, 7.8.52 to 7.8.66.
extension SimulatedController {
    /// Whether the controller accepts a command's family. It accepts either legacy or extended commands
    /// until its next reset (3.1.1).
    func takesFamily(of opCode: OpCode) -> Bool {
        guard profile.hasExtendedCommands, opCode.isExtended || opCode.isReplaced else { return true }
        if let takesExtended = settings.takesExtended { return takesExtended == opCode.isExtended }
        settings.takesExtended = opCode.isExtended
        return true
    }

    func performExtended(_ opCode: OpCode, _ parameters: [UInt8]) {
        guard let byteCount = Self.byteCount(opCode, parameters), parameters.count == byteCount else {
            recordViolation("command 0x\(String(opCode.rawValue, radix: 16)) with \(parameters.count) bytes")
            return answer(opCode, .invalidParameters)
        }
        switch opCode {
        case .leSetExtendedScanParameters:
            // Own address type, filter policy, PHYs; then type, interval and window of the single PHY.
            guard parameters[2] == 1 else { return answer(opCode, .unsupportedFeature) }
            setScanParameters(Array(parameters[3...7] + parameters[0...1]), as: opCode)
        case .leSetExtendedScanEnable: enableScan(Array(parameters[0...1]), as: opCode)
        case .leSetExtendedAdvertisingParameters: setExtendedAdvertisingParameters(parameters)
        case .leSetAdvertisingSetRandomAddress: setSetAddress(parameters)
        case .leSetExtendedAdvertisingData: setExtendedAdvertisingData(parameters)
        case .leSetExtendedAdvertisingEnable: enableExtendedAdvertising(parameters)
        default: createExtendedConnection(parameters)
        }
    }

    /// The length of a command's parameters; nil if they are too short to tell.
    private static func byteCount(_ opCode: OpCode, _ parameters: [UInt8]) -> Int? {
        switch opCode {
        case .leSetExtendedScanParameters: 8
        case .leSetExtendedScanEnable: 6
        case .leSetExtendedAdvertisingParameters: 25
        case .leSetAdvertisingSetRandomAddress: 7
        case .leSetExtendedAdvertisingData: parameters.count >= 4 ? 4 + Int(parameters[3]) : nil
        case .leSetExtendedAdvertisingEnable: parameters.count >= 2 ? 2 + 4 * Int(parameters[1]) : nil
        default: 26
        }
    }

    private var hasSet: Bool { settings.hasAdvertisingSet }

    private func setExtendedAdvertisingParameters(_ parameters: [UInt8]) {
        let opCode = OpCode.leSetExtendedAdvertisingParameters
        guard parameters[0] == 0 else { return answer(opCode, .memoryCapacityExceeded) }
        let bytes = parameters.span
        let type: UInt8? =
            switch bytes.loadUInt16(at: 1) {
            case 0x13: 0
            case 0x12: 2
            case 0x10: 3
            default: nil
            }
        // The third byte of an interval is only for values beyond the legacy range.
        guard let type, parameters[5] == 0, parameters[8] == 0 else {
            return answer(opCode, .invalidParameters)
        }
        settings.hasAdvertisingSet = true
        var legacy = Array(parameters[3...4])
        legacy += parameters[6...7]
        legacy += [type, parameters[10]]
        legacy += parameters[11...17]
        legacy += [parameters[9], parameters[18]]
        setAdvertisingParameters(legacy, as: opCode)
    }

    private func setSetAddress(_ parameters: [UInt8]) {
        let opCode = OpCode.leSetAdvertisingSetRandomAddress
        guard parameters[0] == 0, hasSet else { return answer(opCode, .unknownAdvertisingIdentifier) }
        guard !settings.isAdvertising else { return answer(opCode, .commandDisallowed) }
        settings.setAddress = DeviceAddress(littleEndian: parameters.span.loadUInt48(at: 1), addressType: 1)
        answer(opCode, .success)
    }

    private func setExtendedAdvertisingData(_ parameters: [UInt8]) {
        let opCode = OpCode.leSetExtendedAdvertisingData
        guard parameters[0] == 0, hasSet else { return answer(opCode, .unknownAdvertisingIdentifier) }
        // The model accepts complete data in one command, of at most the legacy length.
        guard parameters[1] == 3, parameters[3] <= 31 else { return answer(opCode, .invalidParameters) }
        let padding = [UInt8](repeating: 0, count: 31 - Int(parameters[3]))
        setAdvertisingData(opCode, Array(parameters[3...]) + padding)
    }

    private func enableExtendedAdvertising(_ parameters: [UInt8]) {
        let opCode = OpCode.leSetExtendedAdvertisingEnable
        guard parameters[0] <= 1, parameters[1] == 1 else { return answer(opCode, .invalidParameters) }
        guard parameters[2] == 0, hasSet else { return answer(opCode, .unknownAdvertisingIdentifier) }
        enableAdvertising([parameters[0]], as: opCode)
    }

    private func createExtendedConnection(_ parameters: [UInt8]) {
        let opCode = OpCode.leExtendedCreateConnection
        guard parameters[9] == 1 else { return answer(opCode, .unsupportedFeature) }
        // Filter policy, own address type, peer (7), PHYs; then of the single PHY scanning (4) and link
        // (12); the numbers are bytes.
        var legacy = Array(parameters[10...13])
        legacy.append(parameters[0])
        legacy += parameters[2...8]
        legacy.append(parameters[1])
        legacy += parameters[14...25]
        createConnection(legacy, as: opCode)
    }
}

extension OpCode {
    /// Whether an extended command does the same.
    var isReplaced: Bool {
        switch self {
        case .leSetAdvertisingParameters, .leSetAdvertisingData, .leSetScanResponseData,
            .leSetAdvertisingEnable, .leSetScanParameters, .leSetScanEnable, .leCreateConnection:
            true
        default: false
        }
    }
}

extension Status {
    static let memoryCapacityExceeded = Status(rawValue: 0x07)
    static let unknownAdvertisingIdentifier = Status(rawValue: 0x42)
}
