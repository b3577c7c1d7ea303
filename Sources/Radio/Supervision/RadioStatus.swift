import DeviceSync
import EncounterLog

/// The radio's state, and the rungs that were taken since the agent started.
public struct RadioStatus: BitwiseCopyable, Equatable, Sendable {
    public enum State: UInt8, BitwiseCopyable, Sendable {
        /// No fault is known or suspected.
        case up = 0
        /// The controller is being brought up, or a recovery continues.
        case recovering = 1
        /// The controller answers, and the agent assumes an empty room after a long silence.
        case quiet = 2
        /// The agent has given the radio up.
        case lost = 3
        /// The board is not set up, and leaves its controller alone.
        case unused = 4
    }

    public internal(set) var state = State.recovering
    /// The last fault found; nil while there was none.
    public internal(set) var lastFault: RadioFaultKind?
    public internal(set) var rungs = RungCounts()

    public init() {}
}

/// How often each rung of the recovery ladder was taken.
public struct RungCounts: BitwiseCopyable, Equatable, Sendable {
    public internal(set) var restartScan: UInt32 = 0
    public internal(set) var restartRoles: UInt32 = 0
    public internal(set) var reset: UInt32 = 0
    public internal(set) var reopen: UInt32 = 0
    public internal(set) var powerCycle: UInt32 = 0

    public init() {}

    public var total: UInt64 {
        UInt64(restartScan) + UInt64(restartRoles) + UInt64(reset) + UInt64(reopen) + UInt64(powerCycle)
    }

    mutating func count(_ rung: RecoveryRung) {
        switch rung {
        case .restartScan: restartScan &+= 1
        case .restartRoles: restartRoles &+= 1
        case .reset: reset &+= 1
        case .reopen: reopen &+= 1
        case .powerCycle: powerCycle &+= 1
        default: break
        }
    }
}

extension BoardStatus {
    package mutating func record(_ radio: RadioStatus) {
        radioState = RadioState(rawValue: radio.state.rawValue)
        radioFault = radio.lastFault?.rawValue
        scanRestartCount = radio.rungs.restartScan
        rolesRestartCount = radio.rungs.restartRoles
        controllerResetCount = radio.rungs.reset
        reopenCount = radio.rungs.reopen
        powerCycleCount = radio.rungs.powerCycle
    }
}
