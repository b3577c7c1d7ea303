import EncounterLog
import HCI

/// A fault of the radio. docs/radio-supervisor.md explains how each is detected and treated.
public enum RadioFault: Equatable, BitwiseCopyable, Sendable {
    // Hard faults: the agent cannot work with the controller, and nothing milder than a reset helps.
    case bringUp(BringUpError)
    case commandTimeout(OpCode)
    case hardwareError(UInt8)
    case stuckConnecting
    case stuckLink
    case transport(RadioError)
    /// The controller has started anew by itself, and has lost all its settings.
    case restarted

    // Suspected faults: the controller answers, but its reports are not as expected.
    /// The controller stops each scan by itself.
    case scanStopped
    case emptyReports
    case wrongScanMode(WrongScanMode)
    case refusedRole(OpCode, Status)
    case garbledStream

    public enum WrongScanMode: UInt8, BitwiseCopyable, Sendable {
        case duplicatesFiltered = 1
        case scanResponses = 2
        case extendedReports = 3
    }
}

/// The radio's counters since the agent started.
package struct RadioCounters: BitwiseCopyable {
    var links: UInt32 = 0
    var identitiesRead: UInt32 = 0
    /// How often a peer gave the board's own payload as its identity.
    package var duplicateIdentities: UInt32 = 0
    /// The number of write-backs that peers have acknowledged.
    var writesBack: UInt32 = 0
    var commandTimeouts: UInt32 = 0
    package var malformedEvents: UInt32 = 0
    var malformedData: UInt32 = 0
}

extension RadioFault {
    /// Whether the fault is hard, as opposed to a suspicion from the reports.
    public var isHard: Bool {
        switch self {
        case .bringUp, .commandTimeout, .hardwareError, .stuckConnecting, .stuckLink, .transport, .restarted:
            true
        case .scanStopped, .emptyReports, .wrongScanMode, .refusedRole, .garbledStream: false
        }
    }

    package var isOverdueAnswer: Bool { if case .commandTimeout = self { true } else { false } }

    /// Whether RSSI readings are right during this fault, so that they still confirm the scan.
    package var sparesReadings: Bool {
        switch self {
        case .wrongScanMode(.scanResponses), .garbledStream: true
        case .refusedRole(let opCode, _): opCode.isConnecting
        default: false
        }
    }

    /// Whether a working radio in an empty room would look the same, once the controller obeys again.
    var mayBeEmptyRoom: Bool {
        switch self {
        case .refusedRole, .garbledStream, .scanStopped: false
        default: true
        }
    }

    /// The mildest rung that may help.
    var firstRung: RecoveryRung {
        switch self {
        case .scanStopped, .emptyReports, .wrongScanMode: .restartScan
        case .refusedRole(let opCode, _): opCode.isConnecting ? .reset : .restartRoles
        case .bringUp, .commandTimeout, .hardwareError, .stuckConnecting, .stuckLink, .restarted,
            .garbledStream:
            .reset
        case .transport: .reopen
        }
    }

    // The fields of the log entry.

    @inline(never)
    var kind: RadioFaultKind {
        switch self {
        case .bringUp: .bringUpRefused
        case .commandTimeout: .commandTimeout
        case .hardwareError: .hardwareError
        case .stuckConnecting: .stuckConnecting
        case .stuckLink: .stuckLink
        case .transport: .transport
        case .restarted: .restarted
        case .scanStopped: .scanStopped
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
        case .transport(.gone), .stuckConnecting, .stuckLink, .restarted, .scanStopped, .emptyReports,
            .garbledStream:
            0
        }
    }
}
