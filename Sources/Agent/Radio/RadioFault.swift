import EncounterLog
import FixedMemory
import HCI

/// Why the controller has to be started anew.
enum RadioFault: BitwiseCopyable {
    case bringUp(BringUpError)
    case commandTimeout(OpCode)
    case hardwareError(UInt8)
    case stuckConnecting
    case stuckLink
    case transport(RadioError)
}

/// What the radio has counted since the agent started.
struct RadioCounters: BitwiseCopyable {
    var links: UInt32 = 0
    var identitiesRead: UInt32 = 0
    var commandTimeouts: UInt32 = 0
    var malformedEvents: UInt32 = 0
    var malformedData: UInt32 = 0
    var restarts: UInt32 = 0
}

extension RadioFault {
    var kind: RadioFaultKind {
        switch self {
        case .bringUp: .bringUpRefused
        case .commandTimeout: .commandTimeout
        case .hardwareError: .hardwareError
        case .stuckConnecting: .stuckConnecting
        case .stuckLink: .stuckLink
        case .transport: .transport
        }
    }

    func describe<Sink: ByteSink & ~Copyable>(to sink: inout Sink) throws(CapacityError) {
        switch self {
        case .bringUp(.refused(let opCode, let status)):
            try sink.append("the controller refused command 0x")
            try sink.append(hex: UInt64(opCode.rawValue), digitCount: 4)
            try sink.append(" with status 0x")
            try sink.append(hexByte: status.rawValue)
        case .bringUp(.truncatedAnswer(let opCode)):
            try sink.append("the controller's answer to command 0x")
            try sink.append(hex: UInt64(opCode.rawValue), digitCount: 4)
            try sink.append(" is too short")
        case .commandTimeout(let opCode):
            try sink.append("no answer to command 0x")
            try sink.append(hex: UInt64(opCode.rawValue), digitCount: 4)
        case .hardwareError(let code):
            try sink.append("hardware error 0x")
            try sink.append(hexByte: code)
        case .stuckConnecting:
            try sink.append("a cancelled connection attempt never ended")
        case .stuckLink:
            try sink.append("a disconnected link never ended")
        case .transport(.gone):
            try sink.append("the transport has closed")
        case .transport(.system(let number)):
            try sink.append("the transport failed, error ")
            try sink.append(decimal: Int(number))
        }
    }
}
