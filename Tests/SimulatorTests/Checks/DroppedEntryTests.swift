import Testing

@testable import Simulator

/// A phone that changes its address while the medium refuses writes and the agent's memory is full. The agent
/// drops the entry about the other address, and counts it. The end of the encounter is in the log later.
@Suite struct DroppedEntryTests {
    private let world = World(seed: 1)
    private let board: SimulatedBoard
    private let neighbours: Neighbours
    private let checker: InvariantChecker

    init() {
        var options = RunOptions(seed: 1)
        options.world = []
        options.transport = .packets
        options.isSealed = false
        options.driftPPM = 0
        options.lossWindowSeconds = 5
        options.gapSeconds = 10
        options.sampleSeconds = 1
        var setup = options.boardSetup
        setup.entryCapacity = 2
        setup.blockByteCount = 256
        board = SimulatedBoard("board", setup, in: world)
        neighbours = Neighbours(in: world)
        checker = InvariantChecker(
            of: board, host: nil, diary: FaultDiary(of: board.controller, in: world), options: options,
            neighbours: neighbours, in: world)
    }

    /// Lets the phone come, change its address and leave.
    /// - Parameter isHidden: whether the check does not know of the last readings.
    private func violations(isFull: Bool = true, isHidden: Bool = false) -> [String] {
        board.powerOn()
        world.run(for: .seconds(10))
        var kind = PhoneKind.android
        kind.addressLifetime = .seconds(20)
        kind.readsBoardsEvery = nil
        // Its samples keep the log growing, because the check is of earlier pages.
        let other = SimulatedPhone("other", at: Route(standingAt: Position(1, 0)), in: world)
        let phone = SimulatedPhone("phone", kind, at: Route(standingAt: Position(2, 0)), in: world)
        neighbours.phones = [other, phone]
        world.run(for: .seconds(10))
        if isFull { board.medium.programFails = { _ in true } }
        world.run(for: .seconds(15))
        #expect(phone.servedCount == 2)
        #expect((board.counters?.dropped ?? 0 > 0) == isFull)
        board.medium.programFails = { _ in false }
        let onTaken = board.controller.transport.onTaken
        if isHidden {
            // The check gets these reports without signal strength, so that they are no readings.
            board.controller.transport.onTaken = { onTaken?($0[1] == 0x3e ? $0.dropLast() + [127] : $0) }
        }
        world.run(for: .seconds(3))
        board.controller.transport.onTaken = onTaken
        phone.leaveForGood()
        world.run(for: .seconds(60))
        #expect(other.servedCount > 0)
        checker.end()
        world.end()
        return checker.violations.filter { $0.check == "EncountersAreTrue" }.map(\.description)
    }

    @Test(arguments: [false, true]) func `an encounter may continue under an address that the log lost`(
        isFull: Bool
    ) {
        #expect(violations(isFull: isFull) == [])
    }

    @Test func `an encounter that ends when nobody was heard is found`() {
        #expect(violations(isHidden: true).contains { $0.contains("was last heard at") })
    }
}
