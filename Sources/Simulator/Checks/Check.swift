import FlashSimulator
import HCI

/// An invariant that must hold in every world, whatever fails; docs/simulator.md lists them. A check gets
/// every event of one board, and reports a violation when its invariant is broken.
class Check {
    unowned let checker: InvariantChecker
    var board: SimulatedBoard { checker.board }
    var diary: FaultDiary { checker.diary }

    init(_ checker: InvariantChecker) { self.checker = checker }

    final func broken(_ what: String) {
        checker.record(Violation(of: "\(type(of: self))", what, in: checker))
    }

    // MARK: Events

    func agentStarted() {}
    func agentEnded() {}
    /// Handles an advertising report that has reached the agent.
    func heard(_ report: HeardReport) {}
    /// Handles a new link with the peer at this address.
    func linked(_ peer: DeviceAddress) {}
    func stepped(_ step: StepFacts) {}
    /// Handles an operation that is about to be done on the medium.
    func requested(_ request: SimulatedMedium.Request) {}
    func operated(_ operation: SimulatedMedium.Operation) {}
    /// Handles a page that was programmed and synced.
    func committed(_ page: CommittedPage) {}
    /// Handles a page that was programmed and synced, and that the checks cannot read: a bit has flipped in
    /// its segment.
    func missed() {}
    /// Handles the first bytes of a segment that a host has fetched, and whose checksum matched the
    /// board's.
    func acknowledged(_ ordinal: UInt32, _ bytes: [UInt8]) {}
    /// Handles the end of the run, after an orderly end of the agent.
    func worldEnded() {}
}
