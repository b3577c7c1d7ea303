import Simulator
import Testing

/// A short quiet day. `make formal` runs a whole one with 1,000 visitors.
@Suite struct QuietDayTests {
    @Test func `HP-C21: a beacon reads each visitor of a quiet day exactly once, and scans all the time`() {
        let day = QuietDay(visitors: 30, hours: 1, seed: 3)
        #expect(day.visitorsByReadCount == [1: 30])
        #expect(day.isEachReadOnce)
        #expect(day.identifiedEncounterCount == 30)
        #expect(day.scanPercent > 95)
        #expect(day.linkCount >= 30)
    }

    @Test
    func `HP-C21: a room of thirty phones is read once a quarter of an hour, for half a percent of scanning`()
    {
        let world = World(seed: 1)
        var setup = BoardSetup()
        setup.segmentCount = 512
        let board = SimulatedBoard("board", setup, in: world)
        var kind = PhoneKind.android
        kind.readsBoardsEvery = nil
        let phones = (0..<30).map { number in
            SimulatedPhone(
                "phone \(number)", kind,
                at: Route(standingAt: Position(Double(number % 6) - 3, Double(number / 6) - 2)), in: world)
        }
        board.powerOn()
        world.run(for: .minutes(10))
        #expect(phones.map(\.servedCount) == [UInt64](repeating: 1, count: 30))
        world.run(for: .minutes(10))
        #expect(phones.map(\.servedCount) == [UInt64](repeating: 2, count: 30))
        #expect(board.controller.truth.linkCount == 60)
        board.stop()
        world.run(for: .seconds(1))
        #expect(board.controller.truth.timeScanned > .seconds(20 * 60 * 99 / 100))
    }

    @Test func `air use is counted to the byte`() {
        let day = QuietDay(visitors: 1, hours: 1, seed: 3)
        // An advert has 28 bytes of data in a packet of 44, on three channels.
        #expect(day.airUse.advertByteCount == day.airUse.advertCount * 132)
        // The advertising interval is 250 ms plus up to 10 ms.
        #expect((13_500...14_400).contains(day.airUse.advertCount))
        #expect(day.airUse.linkByteCount >= day.airUse.linkPacketCount * 10)
        #expect(day.airUse.airTime.microseconds == day.airUse.byteCount * 8)
    }
}
