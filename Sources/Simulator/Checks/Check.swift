import FlashSimulator
import HCI

/// Something that must hold in every world, whatever fails: docs/simulator.md lists them. One of these is told of each
/// thing that happens to one board, and says when what it guards is broken.
class Check {
    unowned let overseer: Overseer
    var board: SimulatedBoard { overseer.board }
    var diary: FaultDiary { overseer.diary }

    init(_ overseer: Overseer) { self.overseer = overseer }

    final func broken(_ what: String) {
        overseer.note(Violation(of: "\(type(of: self))", what, in: overseer))
    }

    // MARK: What happens

    func agentStarted() {}
    func agentEnded() {}
    /// An advertising report has reached the agent.
    func heard(_ report: HeardReport) {}
    /// A link has come about, with whoever is at this address.
    func linked(_ peer: DeviceAddress) {}
    func stepped(_ step: StepFacts) {}
    /// Something is about to be done to the medium.
    func requested(_ request: SimulatedMedium.Request) {}
    func operated(_ operation: SimulatedMedium.Operation) {}
    /// A page was programmed and synced.
    func committed(_ page: CommittedPage) {}
    /// A host has received the first bytes of a segment, and found them to have the board's checksum.
    func acknowledged(_ ordinal: UInt32, _ bytes: [UInt8]) {}
    /// The run is over. The agent was asked to stop, and has.
    func worldEnded() {}
}
