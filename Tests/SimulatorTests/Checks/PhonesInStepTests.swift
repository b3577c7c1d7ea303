import Testing

@testable import Simulator

/// Two phones that look for boards at the same moments, and so always answer the same advert.
@Suite struct PhonesInStepTests {
    /// Returns how often the second phone has read the board in a minute.
    private func readCount(ofSecond kind: PhoneKind) -> Int {
        let world = World(seed: 1)
        let board = SimulatedBoard("board", in: world)
        var first = PhoneKind.android
        first.advert = nil
        first.readsBoardsEvery = .seconds(10)
        var second = kind
        second.advert = nil
        let phones = [first, second].enumerated().map { number, kind in
            SimulatedPhone("phone \(number)", kind, at: Route(standingAt: Position(2, 0)), in: world)
        }
        board.powerOn()
        world.run(for: .minutes(1))
        #expect(phones[0].boardsRead.count == 1)
        defer { world.end() }
        return phones[1].boardsRead.count
    }

    @Test func `a phone that stays in step with another loses to it each time`() {
        #expect(readCount(ofSecond: .android) == 0)
    }

    @Test func `a witness whose request gets no answer looks for boards at other moments`() {
        #expect(readCount(ofSecond: .witness) == 1)
    }
}
