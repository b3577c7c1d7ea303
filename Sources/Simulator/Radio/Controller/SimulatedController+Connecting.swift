import FixedMemory
import HCI

/// Commands for connections.
extension SimulatedController {
    func createConnection(_ parameters: [UInt8], as opCode: OpCode = .leCreateConnection) {
        let bytes = parameters.span
        let (interval, window) = (bytes.loadUInt16(at: 0), bytes.loadUInt16(at: 2))
        guard settings.attempt == nil else { return answer(opCode, .commandDisallowed) }
        guard parameters[4] == 0, parameters[5] <= 3, parameters[12] <= 3 else {
            return answer(opCode, .invalidParameters)
        }
        let problem =
            Self.problem(scanInterval: interval, window: window)
            ?? Self.problem(linkTiming: parameters, at: 13)
        if let problem { return answer(opCode, problem) }
        guard ownAddress(parameters[12] & 1 == 1) != nil else { return answer(opCode, .invalidParameters) }
        let link = Self.linkParameters(parameters, at: 13)
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

    /// Checks interval (2, 2), latency (2), supervision timeout (2) and event lengths (2, 2); the numbers
    /// are bytes.
    private static func problem(linkTiming parameters: [UInt8], at offset: Int) -> Status? {
        let bytes = parameters.span
        let (shortest, longest) = (bytes.loadUInt16(at: offset), bytes.loadUInt16(at: offset + 2))
        let (latency, supervision) = (bytes.loadUInt16(at: offset + 4), bytes.loadUInt16(at: offset + 6))
        guard (6...0xc80).contains(shortest), (6...0xc80).contains(longest), latency <= 0x1f3,
            (0x0a...0xc80).contains(supervision)
        else { return .unsupportedFeature }
        // The supervision timeout must exceed twice the longest silence that interval and latency allow.
        // The comparison is in units of 1.25 ms.
        guard shortest <= longest,
            UInt32(supervision) * 8 > (1 + UInt32(latency)) * UInt32(longest) * 2,
            bytes.loadUInt16(at: offset + 8) <= bytes.loadUInt16(at: offset + 10)
        else { return .invalidParameters }
        return nil
    }

    private static func linkParameters(_ parameters: [UInt8], at offset: Int) -> LinkParameters {
        var link = LinkParameters()
        link.interval = .microseconds(UInt64(parameters.span.loadUInt16(at: offset)) * 1_250)
        link.supervision = .milliseconds(UInt64(parameters.span.loadUInt16(at: offset + 6)) * 10)
        return link
    }

    func cancelConnection() {
        guard let attempt = settings.attempt else {
            return answer(.leCreateConnectionCancel, .commandDisallowed)
        }
        settings.attempt = nil
        updateAir()
        answer(.leCreateConnectionCancel, .success)
        guard !faults.has(.untoldEndings) else { return }
        connectionComplete(.unknownConnection, handle: 0, role: 0, peer: attempt.peer, LinkParameters())
    }

    func disconnect(_ parameters: [UInt8]) {
        let handle = parameters.span.loadUInt16(at: 0)
        let reasons: [UInt8] = [0x05, 0x13, 0x14, 0x15, 0x1a, 0x29, 0x3b]
        guard let index = handles.firstIndex(where: { $0.handle == handle }) else {
            untoldHandles.remove(handle)
            return answer(.disconnect, .unknownConnection)
        }
        guard reasons.contains(parameters[2]) else { return answer(.disconnect, .invalidParameters) }
        answer(.disconnect, .success)
        handles[index].link.disconnect(by: self, reason: parameters[2])
    }

    func updateConnection(_ parameters: [UInt8]) {
        let handle = parameters.span.loadUInt16(at: 0)
        guard let link = handles.first(where: { $0.handle == handle })?.link else {
            return answer(.leConnectionUpdate, .unknownConnection)
        }
        if let problem = Self.problem(linkTiming: parameters, at: 2) {
            return answer(.leConnectionUpdate, problem)
        }
        let wanted = Self.linkParameters(parameters, at: 2)
        link.parameters = wanted
        answer(.leConnectionUpdate, .success)
        event(
            0x3e,
            [3, 0, UInt8(handle & 255), UInt8(handle >> 8)] + Self.bytes(of: wanted),
            after: wanted.interval * 6)
    }

    /// Interval in 1.25 ms, latency, supervision timeout in 10 ms.
    static func bytes(of parameters: LinkParameters) -> [UInt8] {
        let interval = UInt16(truncatingIfNeeded: parameters.interval.microseconds / 1_250)
        let supervision = UInt16(truncatingIfNeeded: parameters.supervision.milliseconds / 10)
        return [
            UInt8(interval & 255), UInt8(interval >> 8), 0, 0, UInt8(supervision & 255),
            UInt8(supervision >> 8),
        ]
    }
}
