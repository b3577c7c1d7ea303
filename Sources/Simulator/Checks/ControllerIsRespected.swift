/// What hosts must not do to controllers.
///
/// The agent sends no command without a credit, no more data than the controller has buffers, nothing on links that are
/// not there, and nothing else that a real controller would choke on.
final class ControllerIsRespected: Check {
    private var known = 0

    override func stepped(_ step: StepFacts) {
        let violations = board.controller.violations
        guard violations.count > known else { return }
        for violation in violations[known...] { broken(violation) }
        known = violations.count
    }

    override func worldEnded() {
        for violation in overseer.company.neighbour?.controller.violations ?? [] {
            broken("neighbour: \(violation)")
        }
    }
}
