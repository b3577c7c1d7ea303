import FixedMemory

/// The LE signalling channel, which only answers commands. Bluetooth Core 5.4, Vol 3, Part A, 4.
public enum L2CAPSignalling {
    /// A buffer for any answer.
    public typealias Answer = FixedBuffer<16>

    private static let maximumCommandByteCount = 23

    private enum Code {
        static let commandReject: UInt8 = 0x01
        static let connectionParameterUpdateRequest: UInt8 = 0x12
        static let connectionParameterUpdateResponse: UInt8 = 0x13
    }

    private enum RejectReason: UInt16 {
        case commandNotUnderstood = 0x0000
        case signallingMTUExceeded = 0x0001
    }

    /// Serves one command. It replaces `answer`, and leaves it empty if no answer is due.
    /// - Returns: The accepted timing, which a central must now set with LE Connection Update; otherwise nil.
    public static func receive(_ command: Span<UInt8>, role: LinkRole, answer: inout Answer)
        -> ConnectionParameters?
    {
        answer.removeAll()
        var reader = ByteReader(command)
        do throws(EndOfBytes) {
            let code = try reader.readUInt8()
            let identifier = try reader.readUInt8()
            let byteCount = Int(try reader.readUInt16())
            // Identifier 0 is invalid, and answering an answer would never end.
            guard identifier != 0, !isResponse(code) else { return nil }
            if command.count > maximumCommandByteCount {
                reject(.signallingMTUExceeded, identifier, &answer)
            } else if code == Code.connectionParameterUpdateRequest, role == .central, byteCount == 8,
                reader.remainingCount == 8
            {
                let parameters = try ConnectionParameters(&reader)
                respond(accepts: parameters.isAcceptable, identifier, &answer)
                return parameters.isAcceptable ? parameters : nil
            } else {
                reject(.commandNotUnderstood, identifier, &answer)
            }
        } catch {
            // The command is too short to be answered.
        }
        return nil
    }

    /// Whether the code is a Command Reject or a response. All of these are answers, so they get no answer.
    private static func isResponse(_ code: UInt8) -> Bool {
        switch code {
        case Code.commandReject, 0x03, 0x05, 0x07, 0x09, 0x0b, 0x0d, 0x0f, 0x11,
            Code.connectionParameterUpdateResponse, 0x15, 0x18, 0x1a:
            true
        default: false
        }
    }

    private static func respond(accepts: Bool, _ identifier: UInt8, _ answer: inout Answer) {
        do throws(CapacityError) {
            try answer.append(Code.connectionParameterUpdateResponse)
            try answer.append(identifier)
            try answer.append(littleEndian: 2 as UInt16)
            try answer.append(littleEndian: accepts ? 0 : 1 as UInt16)
        } catch {}
    }

    private static func reject(_ reason: RejectReason, _ identifier: UInt8, _ answer: inout Answer) {
        let tellsMTU = reason == .signallingMTUExceeded
        do throws(CapacityError) {
            try answer.append(Code.commandReject)
            try answer.append(identifier)
            try answer.append(littleEndian: tellsMTU ? 4 : 2 as UInt16)
            try answer.append(littleEndian: reason.rawValue)
            if tellsMTU {
                try answer.append(littleEndian: UInt16(truncatingIfNeeded: maximumCommandByteCount))
            }
        } catch {}
    }
}
