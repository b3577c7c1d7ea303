import Agent

/// Looks at a board closely while something is wrong with its radio: whether it sees, when its agent does something about
/// it, and when it hears again.
final class FaultWatch {
    let sight: RadioSight
    let beginning: SimulatedTime
    let rungsBefore: RungCounts?
    private(set) var detectedAfterSeconds: Double?
    private(set) var backAfterSeconds: Double?

    private static let resolution = SimulatedDuration.milliseconds(10)

    private let board: SimulatedBoard
    private var world: World { board.world }

    /// It begins now.
    init(of board: SimulatedBoard) {
        self.board = board
        sight = RadioSight(of: board)
        sight.look()
        rungsBefore = board.radioStatus?.rungs
        beginning = board.world.now
    }

    func look() { sight.look() }

    /// While the cause lasts.
    func run(for duration: SimulatedDuration) { run(for: duration) {} }

    /// From the moment on at which the cause has gone.
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
        return status.rungs.total > rungsBefore?.total ?? 0 || status.state == .recovering
    }
}
