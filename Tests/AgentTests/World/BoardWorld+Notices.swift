import Agent
import EncounterLog

@testable import Radio

extension BoardWorld {
    func hasNotice(_ notice: AgentNotice) -> Bool { notices.contains(notice) }

    /// The faults for which the agent took a rung of the recovery ladder, in order.
    var faults: [RadioFault] { notices.compactMap(\.recovery?.fault) }

    /// Whether there was a fault that leaves the controller unusable.
    var hasHardFault: Bool { faults.contains(where: \.isHard) }

    /// Whether there was a suspected fault, one of a controller that still answers.
    var hasSuspectedFault: Bool { faults.contains { !$0.isHard } }

    var hasCommandTimeout: Bool {
        faults.contains { if case .commandTimeout = $0 { true } else { false } }
    }

    /// Whether the agent took `rung` of the recovery ladder.
    func hasTaken(_ rung: RecoveryRung) -> Bool { notices.contains { $0.recovery?.rung == rung } }
}

extension AgentNotice {
    var recovery: (fault: RadioFault, rung: RecoveryRung)? {
        if case .radio(.recovery(let fault, let rung)) = self { (fault, rung) } else { nil }
    }

    var radioUp: RadioUpNotice? { if case .radio(.up(let notice)) = self { notice } else { nil } }
}
