/// No step does without end, and steps do not come without end.
final class StepsAreBounded: Check {
    override class var statement: String {
        "A step takes at most 64 packets, and where nothing happens the agent does not ask for one step after another."
    }

    private static let packetsPerStep = 64
    /// In a second in which nothing came and nothing was written. Checksums of the log are made in many small steps.
    private static let idleStepsPerSecond = 1_000

    private var second: UInt64 = 0
    private var idleSteps = 0

    override func stepped(_ step: StepFacts) {
        if step.packetCount > Self.packetsPerStep { broken("a step took \(step.packetCount) packets") }
        let now = overseer.world.now.microseconds / 1_000_000
        if now != second {
            second = now
            idleSteps = 0
        }
        guard step.packetCount == 0 else { return }
        idleSteps += 1
        if idleSteps == Self.idleStepsPerSecond { broken("\(idleSteps) steps in a second for nothing") }
    }
}
