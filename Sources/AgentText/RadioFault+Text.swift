import Agent
import FixedMemory
import HCI
import Radio

extension RadioFault {
    /// Writes the fault as a clause: what the controller, the transport or the reports did.
    func write<Sink: ByteSink & ~Copyable>(to line: inout Sink) throws(CapacityError) {
        switch self {
        case .bringUp(.refused(.leSetRandomAddress, let status)):
            try line.append("the controller refused a random address, and has no other that may be sent")
            try line.append(" (HCI command 0x2005, status 0x")
            try line.append(hexByte: status.rawValue)
            try line.append(")")
        case .bringUp(.refused(let opCode, let status)), .refusedRole(let opCode, let status):
            try line.append("the controller refused ")
            try opCode.write(to: &line)
            try line.append(" with status 0x")
            try line.append(hexByte: status.rawValue)
        case .bringUp(.truncatedAnswer(let opCode)):
            try line.append("the controller sent too short an answer to ")
            try opCode.write(to: &line)
        case .commandTimeout(let opCode):
            try line.append("the controller did not answer ")
            try opCode.write(to: &line)
        case .hardwareError(let code):
            try line.append("the controller reported hardware error 0x")
            try line.append(hexByte: code)
        case .transport(.system(let number)):
            try line.append("the transport failed with error ")
            try line.append(decimal: number)
        default: try line.append(sentence)
        }
    }

    private var sentence: StaticString {
        switch self {
        case .bringUp, .refusedRole, .commandTimeout, .hardwareError, .transport(.system): ""
        case .stuckConnecting: "the controller never ended a cancelled connection attempt"
        case .stuckLink: "the controller never ended a disconnected link"
        case .transport(.gone): "the transport has closed"
        case .restarted: "the controller has started anew by itself"
        case .scanStopped: "the controller does not scan although it was told to"
        case .emptyReports: "advertising reports have no content"
        case .wrongScanMode(.duplicatesFiltered): "the controller filters duplicate advertising reports"
        case .wrongScanMode(.scanResponses): "the controller reports scan responses to a passive scan"
        case .wrongScanMode(.extendedReports):
            "the controller sends extended advertising reports for a legacy scan"
        case .garbledStream: "the stream from the controller is corrupted"
        }
    }
}

extension OpCode {
    fileprivate func write<Sink: ByteSink & ~Copyable>(to line: inout Sink) throws(CapacityError) {
        try line.append("HCI command 0x")
        try line.append(hex: UInt64(rawValue), digitCount: 4)
    }
}
