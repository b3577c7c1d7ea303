import Testing

@testable import Simulator

/// A phone that changes its address while the medium refuses writes and the agent's memory is full. The agent
/// drops the entry about the other address, and counts it. The end of the encounter is in the log later.
@Suite struct DroppedEntryTests {
    private let checked = CheckedBoard(
        options: {
            $0.transport = .packets
            $0.driftPPM = 0
            $0.logSoon(sampleSeconds: 1)
        },
        setup: {
            $0.entryCapacity = 2
            $0.blockByteCount = 256
        })

    /// Lets the phone come, change its address and leave.
    /// - Parameter isHidden: whether the check does not know of the last readings.
    private func violations(isFull: Bool = true, isHidden: Bool = false) -> [String] {
        let board = checked.board
        board.powerOn()
        checked.run(.seconds(10))
        var kind = PhoneKind.android
        kind.addressLifetime = .seconds(20)
        kind.readsBoardsEvery = nil
        // Its samples keep the log growing, because the check is of earlier pages.
        let other = SimulatedPhone("other", at: Route(standingAt: Position(1, 0)), in: checked.world)
        let phone = SimulatedPhone("phone", kind, at: Route(standingAt: Position(2, 0)), in: checked.world)
        checked.neighbours.phones = [other, phone]
        checked.run(.seconds(10))
        if isFull { board.medium.programFails = { _ in true } }
        checked.run(.seconds(15))
        #expect(phone.servedCount == 2)
        #expect((board.counters?.dropped ?? 0 > 0) == isFull)
        board.medium.programFails = { _ in false }
        let onTaken = board.controller.transport.onTaken
        if isHidden {
            // The check gets these reports without signal strength, and so counts no reading.
            board.controller.transport.onTaken = { onTaken?($0[1] == 0x3e ? $0.dropLast() + [127] : $0) }
        }
        checked.run(.seconds(3))
        board.controller.transport.onTaken = onTaken
        phone.leaveForGood()
        checked.run(.seconds(60))
        #expect(other.servedCount > 0)
        return checked.end().filter { $0.check == "EncountersAreTrue" }.map(\.description)
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
