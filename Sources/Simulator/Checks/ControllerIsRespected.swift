/// Checks that the agent keeps the rules of its controller.
///
/// The agent sends no command without a credit, and no more data than the controller has buffers. It sends
/// nothing on links that do not exist, and nothing else that a real controller would fail on.
final class ControllerIsRespected: Check {
    private var known = 0

    override func stepped(_ step: StepFacts) {
        let violations = board.controller.violations
        guard violations.count > known else { return }
        for violation in violations[known...] { broken(violation) }
        known = violations.count
    }

    override func worldEnded() {
        for violation in checker.neighbours.neighbour?.controller.violations ?? [] {
            broken("neighbour: \(violation)")
        }
    }
}
