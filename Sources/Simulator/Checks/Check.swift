import EncounterLog
import HCI
import Peers

/// Something that must hold in every world, whatever fails: docs/simulator.md lists them. One of these is told of each
/// thing that happens to one board, and says when what it guards is broken.
class Check {
    /// What must hold, in a sentence.
    class var statement: String { "" }

    unowned let overseer: Overseer
    var board: SimulatedBoard { overseer.board }
    var diary: FaultDiary { overseer.diary }

    init(_ overseer: Overseer) { self.overseer = overseer }

    final func broken(_ what: String) { overseer.note(Violation(of: "\(type(of: self))", what, in: overseer)) }

    // MARK: What happens

    func agentStarted() {}
    func agentEnded() {}
    /// An advertising report has reached the agent.
    func heard(_ report: HeardReport) {}
    /// A link has come about, with whoever is at this address.
    func linked(_ peer: DeviceAddress) {}
    func stepped(_ step: StepFacts) {}
    func operated(_ operation: SimulatedMedium.Operation) {}
    /// A page was programmed and synced.
    func committed(_ page: CommittedPage) {}
    /// A host has received the first bytes of a segment, and found them to have the board's checksum.
    func acknowledged(_ ordinal: UInt32, _ bytes: [UInt8]) {}
    /// The run is over. The agent was asked to stop, and has.
    func worldEnded() {}
}

/// What must not be, and was.
public struct Violation: Sendable, CustomStringConvertible {
    public let check: String
    public let time: SimulatedTime
    public let what: String

    /// - Parameter check: its name.
    init(of check: String, _ what: String, in overseer: Overseer) {
        self.check = check
        time = overseer.world.now
        self.what = what
    }

    public var description: String { "\(check) at \(time.inSeconds) s: \(what)" }
}

/// One report, as the agent was given it.
struct HeardReport {
    let address: DeviceAddress
    /// What its sender is known by: the pseudo device address that it says, else its address.
    let peer: PeerKey
    /// Nil where the controller did not measure it.
    let rssiDBm: Int8?
    /// It tells that the radio works: with data and signal strength, no scan response, and of the kind asked for.
    let isGood: Bool
    /// Its sender takes part: an encounter begins with it.
    let isParticipant: Bool
    /// Its sender takes part, or might.
    let isOfInterest: Bool
    let milliseconds: UInt64
}

/// What a step of the agent did.
struct StepFacts {
    /// Packets and reports that it took from the controller.
    var packetCount = 0
    var reportCount = 0
    /// Data of links among them: a phone may tell in it how near it hears us, and that counts as a report.
    var dataCount = 0
    /// Bytes of memory that it took and did not give back.
    var memoryGrowth: Int64 = 0
    var milliseconds: UInt64 = 0
}

extension SimulatedTime {
    var inSeconds: String {
        let tenths = microseconds / 100_000
        return "\(tenths / 10).\(tenths % 10)"
    }
}
