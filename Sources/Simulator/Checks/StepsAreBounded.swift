/// Checks that a step takes at most 64 packets, and that an idle agent does not ask for one step after
/// another.
final class StepsAreBounded: Check {
    private static let packetsPerStep = 64
    /// The limit per second. The agent computes checksums of the log in many small steps, but each of those
    /// reads the medium, so it is not idle.
    private static let idleStepsPerSecond = 200

    private var second: UInt64 = 0
    private var idleSteps = 0
    private var workDone = 0

    /// A counter that grows whenever a step has work: bytes from the controller, even without a whole
    /// packet, bytes from the sync line, and operations of the medium.
    private static func work(of board: SimulatedBoard) -> Int {
        let medium = board.medium
        return board.controller.transport.takenCount + board.line.movedCount + medium.readCount
            + medium.changeCount + medium.syncCount
    }

    override func stepped(_ step: StepFacts) {
        if step.packetCount > Self.packetsPerStep { broken("a step took \(step.packetCount) packets") }
        let now = checker.world.now.microseconds / 1_000_000
        if now != second {
            second = now
            idleSteps = 0
        }
        let work = Self.work(of: board)
        defer { workDone = work }
        guard step.packetCount == 0, work == workDone else { return }
        idleSteps += 1
        if idleSteps == Self.idleStepsPerSecond { broken("\(idleSteps) steps in a second for nothing") }
    }
}
