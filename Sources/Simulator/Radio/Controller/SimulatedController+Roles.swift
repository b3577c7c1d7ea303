import FixedMemory
import HCI

/// Commands for scanning and advertising.
extension SimulatedController {
    func setRandomAddress(_ parameters: [UInt8]) {
        guard !settings.isScanning, !settings.isAdvertising, settings.attempt == nil else {
            return answer(.leSetRandomAddress, .commandDisallowed)
        }
        settings.randomAddress = DeviceAddress(
            littleEndian: parameters.span.loadUInt48(at: 0), addressType: 1)
        answer(.leSetRandomAddress, .success)
    }

    /// Lets the start of a scan or of advertising cure the faults that it can cure.
    private func cureFaults(of action: FaultCure, _ isStart: Bool) {
        guard isStart else { return }
        faults.hostDid(settings.isScanning || settings.isAdvertising ? action : .rolesRestart)
    }

    // MARK: Scanning

    /// The error of scan parameters: a number out of range (0x11), or a window longer than the interval
    /// (0x12).
    static func problem(scanInterval interval: UInt16, window: UInt16) -> Status? {
        guard (0x0004...0x4000).contains(interval), (0x0004...0x4000).contains(window) else {
            return .unsupportedFeature
        }
        return window > interval ? .invalidParameters : nil
    }

    func setScanParameters(_ parameters: [UInt8], as opCode: OpCode = .leSetScanParameters) {
        let (interval, window) = (parameters.span.loadUInt16(at: 1), parameters.span.loadUInt16(at: 3))
        let refuses = settings.isScanning && !faults.has(.silence)
        guard !refuses || profile.takesParametersWhileScanning else {
            settings.hasRefusedForScan = true
            return answer(opCode, .commandDisallowed)
        }
        guard parameters[0] <= 1, parameters[5] <= 3, parameters[6] <= 3 else {
            return answer(opCode, .invalidParameters)
        }
        if let problem = Self.problem(scanInterval: interval, window: window) {
            return answer(opCode, problem)
        }
        settings.isScanActive = parameters[0] == 1
        settings.scanInterval = interval
        settings.scanWindow = window
        settings.scanUsesRandomAddress = parameters[5] & 1 == 1
        settings.hasScanParameters = true
        answer(opCode, .success)
    }

    func enableScan(_ parameters: [UInt8], as opCode: OpCode = .leSetScanEnable) {
        guard parameters[0] <= 1, parameters[1] <= 1 else {
            return answer(opCode, .invalidParameters)
        }
        if parameters[0] == 0, !settings.isScanning, profile.refusesSecondDisable {
            return answer(opCode, .commandDisallowed)
        }
        if parameters[0] == 1 {
            guard ownAddress(settings.scanUsesRandomAddress) != nil,
                settings.hasScanParameters || !profile.wantsParametersFirst
            else { return answer(opCode, .invalidParameters) }
            guard !settings.isAdvertising || profile.sharesRoles else {
                return answer(opCode, .commandDisallowed)
            }
        }
        cureFaults(of: .scanRestart, parameters[0] == 1 && !settings.isScanning)
        settings.isScanning = parameters[0] == 1
        settings.filtersDuplicates = parameters[1] == 1
        clearReported()
        updateAir()
        answer(opCode, .success)
    }

    // MARK: Advertising

    func setAdvertisingParameters(
        _ parameters: [UInt8], as opCode: OpCode = .leSetAdvertisingParameters
    ) {
        let (shortest, longest) = (parameters.span.loadUInt16(at: 0), parameters.span.loadUInt16(at: 2))
        let type = parameters[4]
        guard !settings.isAdvertising else { return answer(opCode, .commandDisallowed) }
        guard type <= 4, parameters[5] <= 3, parameters[6] <= 1, (1...7).contains(parameters[13]),
            parameters[14] <= 3
        else { return answer(opCode, .invalidParameters) }
        if type != 1 {
            guard (0x20...0x4000).contains(shortest), (0x20...0x4000).contains(longest) else {
                return answer(opCode, .unsupportedFeature)
            }
            // Before version 5.0, non-connectable advertising may not be more frequent than every 100 ms.
            let isTooOften = profile.version < 9 && (type == 2 || type == 3) && shortest < 0xa0
            guard shortest <= longest, !isTooOften else { return answer(opCode, .invalidParameters) }
        }
        settings.advertisingInterval = max(longest, 0x20)
        settings.advertisingType = type
        settings.advertisingUsesRandomAddress = parameters[5] & 1 == 1
        settings.hasAdvertisingParameters = true
        answer(opCode, .success)
    }

    func setAdvertisingData(_ opCode: OpCode, _ parameters: [UInt8]) {
        guard !settings.isAdvertising || profile.takesDataWhileAdvertising else {
            return answer(opCode, .commandDisallowed)
        }
        guard parameters[0] <= 31 else { return answer(opCode, .invalidParameters) }
        let data = Array(parameters[1...].prefix(Int(parameters[0])))
        if opCode == .leSetScanResponseData {
            settings.scanResponseData = data
        } else {
            settings.advertisingData = data
        }
        updateAir()
        answer(opCode, .success)
    }

    func enableAdvertising(_ parameters: [UInt8], as opCode: OpCode = .leSetAdvertisingEnable) {
        guard parameters[0] <= 1 else { return answer(opCode, .invalidParameters) }
        if parameters[0] == 0, !settings.isAdvertising, profile.refusesSecondDisable {
            return answer(opCode, .commandDisallowed)
        }
        if parameters[0] == 1, !settings.isAdvertising {
            guard advertisingAddress != nil,
                settings.hasAdvertisingParameters || !profile.wantsParametersFirst
            else { return answer(opCode, .invalidParameters) }
            let isConnectable = settings.advertisingType == 0
            guard !settings.isScanning || profile.sharesRoles,
                !isConnectable || handles.isEmpty || profile.isConnectableBesideLinks
            else { return answer(opCode, .commandDisallowed) }
            guard !isConnectable || handles.count < profile.linkLimit else {
                return answer(opCode, profile.linkLimitStatus)
            }
        }
        cureFaults(of: .byItself, parameters[0] == 1 && !settings.isAdvertising)
        settings.isAdvertising = parameters[0] == 1
        updateAir()
        answer(opCode, .success)
    }
}
