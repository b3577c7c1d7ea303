import Testing

@testable import Simulator

/// A message over a link that the controller could not report. It has the number of a link that the
/// controller has forgotten, so the board takes it for a message of that link's phone.
@Suite struct ForgottenWriterTests {
    private let world = World(seed: 2)
    private let board: SimulatedBoard
    private let neighbours: Neighbours
    private let checker: InvariantChecker

    init() {
        var options = RunOptions(seed: 1)
        options.world = []
        options.isSealed = false
        options.lossWindowSeconds = 5
        options.gapSeconds = 10
        options.sampleSeconds = 5
        board = SimulatedBoard("board", options.boardSetup, in: world)
        neighbours = Neighbours(in: world)
        checker = InvariantChecker(
            of: board, host: nil, diary: FaultDiary(of: board.controller, in: world), options: options,
            neighbours: neighbours, in: world)
    }

    private func add(_ name: String, _ kind: PhoneKind) -> SimulatedPhone {
        let phone = SimulatedPhone(name, kind, at: Route(standingAt: Position(1, 0)), in: world)
        neighbours.add(phone)
        return phone
    }

    /// Lets the controller forget the link of one phone, and another phone write messages on a link with the
    /// same number.
    /// - Parameter isKnown: whether the checks may take the second link for a reported one.
    private func violations(isKnown: Bool) -> Set<String> {
        let controller = board.controller
        board.powerOn()
        world.run(for: .seconds(10))
        let first = add("first phone", .frequent)
        for _ in 0..<1_000 where controller.handles.isEmpty { world.run(for: .milliseconds(20)) }
        guard let handle = controller.handles.first?.handle else { return ["the phone never comes"] }
        controller.handles = []
        for link in controller.links { link.forget(by: controller) }
        first.leaveForGood()
        let second = add("second phone", .preparing)
        for _ in 0..<5_000 where second.sentMessages.allSatisfy({ $0.acknowledged == nil }) {
            if controller.handles.isEmpty { controller.nextHandle = handle }
            controller.settings.lowEnergyEventMask = 0
            if isKnown { for link in second.links { link.isUnreported = false } }
            world.run(for: .milliseconds(10))
        }
        #expect(second.sentMessages.contains { $0.acknowledged != nil })
        world.run(for: .seconds(20))
        checker.end()
        world.end()
        return Set(checker.violations.map(\.check).filter { $0 == "MessagesArriveWhole" })
    }

    @Test func `a message over a link that the controller could not report excuses the agent`() {
        #expect(violations(isKnown: false) == [])
    }

    @Test func `a message that is recorded as of another is found if the controller reported the link`() {
        #expect(violations(isKnown: true) == ["MessagesArriveWhole"])
    }
}
