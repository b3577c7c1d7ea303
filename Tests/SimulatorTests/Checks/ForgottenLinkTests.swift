import Testing

@testable import Simulator

/// Notifications for a link that the controller has forgotten. It reports no end of that link, and a new link
/// may have its number. So a phone that never subscribed gets the notifications of another.
@Suite struct ForgottenLinkTests {
    private let world = World(seed: 1)
    private let board: SimulatedBoard
    private let neighbours: Neighbours
    private let checker: InvariantChecker

    init() {
        var options = RunOptions(seed: 1)
        options.world = []
        board = SimulatedBoard("board", options.boardSetup, in: world)
        neighbours = Neighbours(in: world)
        checker = InvariantChecker(
            of: board, host: nil, diary: FaultDiary(of: board.controller, in: world), options: options,
            neighbours: neighbours, in: world)
    }

    /// Sends a notification on the link of a phone that did not subscribe, seconds after a fault began.
    private func violations(after fault: ControllerFault?, isReported: Bool = true) -> [String] {
        board.powerOn()
        world.run(for: .seconds(10))
        if let fault { board.controller.faults.begin(fault) }
        let phone = SimulatedPhone("phone", .frequent, at: Route(standingAt: Position(1, 0)), in: world)
        neighbours.add(phone)
        let controller = board.controller
        for _ in 0..<200 where controller.handles.isEmpty {
            if !isReported { controller.settings.lowEnergyEventMask = 0 }
            world.run(for: .milliseconds(100))
        }
        guard let handle = controller.handles.first?.handle else { return ["the phone never comes"] }
        controller.receiveData([2, UInt8(handle), 0, 8, 0, 4, 0, 4, 0, 0x1b, 0x16, 0, 1])
        world.run(for: .seconds(3))
        checker.end()
        world.end()
        return checker.violations.map(\.check)
    }

    @Test func `a controller that restarts without a word excuses the agent`() {
        #expect(violations(after: .restart) == [])
    }

    @Test func `a controller that could not report the link, without its event masks, excuses the agent`() {
        #expect(violations(after: nil, isReported: false) == [])
    }

    @Test(arguments: [nil, ControllerFault.scanEnds, .slowReset, .amnesia])
    func `a notification for another link is found if the controller reported the link`(
        fault: ControllerFault?
    ) {
        #expect(violations(after: fault) == ["PeersGetTheirOwn"])
    }
}
