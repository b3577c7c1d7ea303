import Agent
import Radio

/// Observes a board closely during a radio fault: whether it can receive, when its agent reacts, and when
/// it receives again.
final class FaultWatch {
    let sight: RadioSight
    let beginning: SimulatedTime
    let rungsBefore: RungCounts?
    private(set) var detectedAfterSeconds: Double?
    private(set) var backAfterSeconds: Double?

    private static let resolution = SimulatedDuration.milliseconds(10)

    private let board: SimulatedBoard
    private let fault: ControllerFault
    private var world: World { board.world }

    /// Begins to observe; the fault begins now.
    init(of board: SimulatedBoard, for fault: ControllerFault) {
        self.board = board
        self.fault = fault
        sight = RadioSight(of: board)
        sight.look()
        rungsBefore = board.radioStatus?.rungs
        beginning = board.world.now
    }

    func look() { sight.look() }

    /// Observes while the cause of the fault lasts.
    func run(for duration: SimulatedDuration) { run(for: duration) {} }

    /// Observes from the moment when the cause has ended.
    func runCured(for duration: SimulatedDuration) {
        let cured = world.now
        run(for: duration) {
            guard backAfterSeconds == nil, sight.isSeeing,
                let good = board.controller.truth.lastGoodReportTaken, good >= cured
            else { return }
            backAfterSeconds = (good - cured).seconds
        }
    }

    private func run(for duration: SimulatedDuration, _ step: () -> Void) {
        let end = world.now + duration
        while world.now < end {
            world.run(for: Self.resolution)
            look()
            if detectedAfterSeconds == nil, hasActed {
                detectedAfterSeconds = (world.now - beginning).seconds
            }
            step()
        }
    }

    private var hasActed: Bool {
        guard let status = board.radioStatus else { return true }
        if FaultOutcome.isMetByRenewal(fault), sight.renewal != nil { return true }
        return status.rungs.total > rungsBefore?.total ?? 0 || status.state == .recovering
    }
}
