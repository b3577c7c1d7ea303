import EncounterLog
import FixedMemory
import HCI

/// What is wrong with the radio. docs/radio-supervisor.md says how each is found and what is done about it.
enum RadioFault: BitwiseCopyable {
    // The controller cannot be worked with: nothing milder than a reset helps.
    case bringUp(BringUpError)
    case commandTimeout(OpCode)
    case hardwareError(UInt8)
    case stuckConnecting
    case stuckLink
    case transport(RadioError)

    // The controller answers, and what is heard is not what should be.
    case silence
    case emptyReports
    case wrongScanMode(WrongScanMode)
    case refusedRole(OpCode, Status)
    case garbledStream

    enum WrongScanMode: UInt8, BitwiseCopyable {
        case duplicatesFiltered = 1
        case scanResponses = 2
        case extendedReports = 3
    }
}

/// What the radio has counted since the agent started.
struct RadioCounters: BitwiseCopyable {
    var links: UInt32 = 0
    var identitiesRead: UInt32 = 0
    /// Times that somebody said a payload that is ours.
    var namesakes: UInt32 = 0
    /// Messages of ours about ourselves and others that peers have acknowledged.
    var writesBack: UInt32 = 0
    var commandTimeouts: UInt32 = 0
    var malformedEvents: UInt32 = 0
    var malformedData: UInt32 = 0
}

extension RadioFault {
    /// Whether the controller cannot be worked with, as opposed to doubts about what is heard.
    var isHard: Bool {
        switch self {
        case .bringUp, .commandTimeout, .hardwareError, .stuckConnecting, .stuckLink, .transport: true
        case .silence, .emptyReports, .wrongScanMode, .refusedRole, .garbledStream: false
        }
    }

    var isOverdueAnswer: Bool { if case .commandTimeout = self { true } else { false } }

    /// Whether the readings that come while it lasts are as good as ever, so that they go on to confirm the scan.
    var sparesReadings: Bool {
        switch self {
        case .wrongScanMode(.scanResponses), .garbledStream: true
        default: false
        }
    }

    /// The mildest rung that may help.
    var firstRung: RecoveryRung {
        switch self {
        case .silence, .emptyReports, .wrongScanMode: .restartScan
        case .refusedRole: .restartRoles
        case .bringUp, .commandTimeout, .hardwareError, .stuckConnecting, .stuckLink, .garbledStream: .reset
        case .transport: .reopen
        }
    }

    // What the log's entry holds of it.

    @inline(never)
    var kind: RadioFaultKind {
        switch self {
        case .bringUp: .bringUpRefused
        case .commandTimeout: .commandTimeout
        case .hardwareError: .hardwareError
        case .stuckConnecting: .stuckConnecting
        case .stuckLink: .stuckLink
        case .transport: .transport
        case .silence: .silence
        case .emptyReports: .emptyReports
        case .wrongScanMode: .wrongScanMode
        case .refusedRole: .refusedRole
        case .garbledStream: .garbledStream
        }
    }

    var detail: UInt32 {
        switch self {
        case .bringUp(.refused(let opCode, _)), .bringUp(.truncatedAnswer(let opCode)),
            .commandTimeout(let opCode), .refusedRole(let opCode, _):
            UInt32(opCode.rawValue)
        case .hardwareError(let code): UInt32(code)
        case .transport(.system(let number)): UInt32(bitPattern: number)
        case .wrongScanMode(let mode): UInt32(mode.rawValue)
        case .transport(.gone), .stuckConnecting, .stuckLink, .silence, .emptyReports, .garbledStream: 0
        }
    }

    func describe<Sink: ByteSink & ~Copyable>(to sink: inout Sink) throws(CapacityError) {
        switch self {
        case .bringUp(.refused(let opCode, let status)), .refusedRole(let opCode, let status):
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
        case .silence: try sink.append("somebody was heard steadily, and all at once nobody is")
        case .emptyReports: try sink.append("reports come without content")
        case .wrongScanMode(.duplicatesFiltered): try sink.append("nobody is reported twice")
        case .wrongScanMode(.scanResponses):
            try sink.append("scan responses, which nobody asked for")
        case .wrongScanMode(.extendedReports):
            try sink.append("extended reports, which nobody asked for")
        case .garbledStream: try sink.append("the stream from the controller is garbled")
        }
    }
}
