import Testing

@testable import Simulator

@Suite struct FaultScriptTests {
    /// The order matters, because an agent that starts sees the faults that have ended before it. The order
    /// of a set differs between processes, so that a seed would not repeat its run.
    @Test func `faults that last to the end of the run end in the order in which they were drawn`() {
        let kinds: [FaultKind] = [
            .board(.full), .radio(.silence), .board(.hangUp), .board(.bitFlip), .radio(.unknownRSSI),
            .board(.split), .board(.readFailure), .radio(.eventFlood), .board(.loss), .board(.eraseFailure),
        ]
        var options = RunOptions(seed: 1)
        options.faults = kinds.map { ($0, 1) }
        let world = World(seed: 1)
        let board = SimulatedBoard("board", in: world)
        let script = FaultScript(
            for: board, options, diary: FaultDiary(of: board.controller, in: world), in: world)
        var changes: [String] = []
        script.onChange = { changes.append($0) }
        world.run(for: .seconds(4))
        #expect(changes.count == kinds.count, "all have begun, none has ended")
        changes = []
        script.stop()
        #expect(changes == kinds.map { "ends: \($0)" })
        world.end()
    }
}
