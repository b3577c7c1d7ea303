import Testing

@testable import Simulator

/// A link that has ended and whose end the controller has not reported. The agent takes a silence of its few
/// peers for that link, and relies on the controller's proof of the scan.
@Suite struct UntoldLinkTests {
    private let world = World(seed: 1)
    private let board: SimulatedBoard
    private let neighbours: Neighbours
    private let checker: InvariantChecker
    private var controller: SimulatedController { board.controller }

    init() {
        var options = RunOptions(seed: 1)
        options.world = []
        board = SimulatedBoard("board", options.boardSetup, in: world)
        neighbours = Neighbours(in: world)
        checker = InvariantChecker(
            of: board, host: nil, diary: FaultDiary(of: board.controller, in: world), options: options,
            neighbours: neighbours, in: world)
    }

    /// Lets two phones stay for 50 seconds, and then ends a link with one of them.
    private func endLink() throws {
        board.powerOn()
        let phone = SimulatedPhone("phone", .frequent, at: Route(standingAt: Position(1, 0)), in: world)
        let other = SimulatedPhone("other", .otherIPhone, at: Route(standingAt: Position(2, 0)), in: world)
        neighbours.add(phone)
        neighbours.add(other)
        world.run(for: .seconds(50))
        for _ in 0..<3_000 where controller.handles.isEmpty { world.run(for: .milliseconds(100)) }
        let link = try #require(controller.handles.first).link
        link.disconnect(by: phone, reason: 0x13)
        for _ in 0..<100 where !controller.handles.isEmpty { world.run(for: .milliseconds(10)) }
        #expect(controller.handles.isEmpty)
        phone.setPresent(false)
    }

    @Test func `the agent may rely on a mute scan's proof while it must believe in a link`() throws {
        controller.faults.begin(.untoldEndings)
        try endLink()
        #expect(controller.seemsLinked)
        controller.faults.begin(.muteScan)
        world.run(for: .seconds(40))
        board.stop()
        world.run(for: .seconds(2))
        checker.end()
        world.end()
        #expect(checker.violations.map(\.check) == [])
    }

    @Test func `a refused disconnection ends what the agent must believe`() throws {
        controller.faults.begin(.untoldEndings)
        try endLink()
        controller.faults.end(.untoldEndings)
        controller.faults.begin(.muteScan)
        world.run(for: .minutes(2))
        #expect(controller.untoldHandles.isEmpty)
        world.end()
    }

    @Test func `an end that the controller has reported leaves nothing to believe`() throws {
        try endLink()
        #expect(!controller.seemsLinked)
        world.end()
    }
}
