import FixedMemory
import HCI
import Schemes
import Simulator
import Testing

/// A wearable among phones, over several periods and midnight.
@Suite struct WearableTests {
    private static let options = ["agent.role=wearable"]
    private static let epochDay = SimulatedBoard.heraldEpochDay

    /// An identity that phones have read, and the address under which they read it.
    private struct Reading: Hashable {
        let address: DeviceAddress
        let payload: [UInt8]
    }

    private func board(_ name: String, in world: World) -> SimulatedBoard {
        var setup = BoardSetup()
        setup.options = Self.options
        return SimulatedBoard(name, setup, in: world)
    }

    /// The payload derived from the board's secret, `day` days and `period` periods after the epoch.
    private func payload(of board: SimulatedBoard, day: UInt64, period: UInt64) throws -> [UInt8] {
        let schedule = HeraldKeySchedule(secret: board.secret.span, epochDay: Self.epochDay)
        var maker = HeraldIdentifierMaker(schedule)
        let time = (UInt64(Self.epochDay) + day) * 86_400_000 + period * 360_000
        let wanted = try schedule.period(at: time)
        let made = maker.identifier(of: wanted, hashLimit: 5_000)
        let identifier = try #require(made)
        let payload = HeraldSimple(country: 826, state: 0, identifier: identifier).encoded()
        return (0..<payload.count).map { payload[$0] }
    }

    @Test func `HP-D06, HP-O01, X7, X8: phones get whole payloads, each under one address, over midnight`()
        throws
    {
        let world = World(seed: 11)
        let board = board("worn", in: world)
        var impatient = PhoneKind.android
        impatient.readsBoardsEvery = .seconds(7)
        var slow = PhoneKind.slow
        slow.readsBoardsEvery = .seconds(5)
        let phones = [impatient, slow, PhoneKind.backgroundIPhone, .writer].enumerated().map { number, kind in
            SimulatedPhone(
                "phone \(number)", kind, at: Route(standingAt: Position(Double(number) + 1, 0)), in: world)
        }
        board.powerOn()
        // Ten minutes before midnight of day 40.
        let midnight = WallClockTime(days: UInt64(Self.epochDay) + 41)
        board.clock.setWallClock(midnight - .minutes(10), errorMilliseconds: 20)
        var readings: Set<Reading> = []
        for _ in 0..<20 {
            world.run(for: .minutes(1))
            for phone in phones {
                for read in phone.boardsRead {
                    readings.insert(Reading(address: read.board, payload: read.payload))
                }
            }
        }
        let expected = try [(40, 238), (40, 239), (41, 0), (41, 1)].map {
            try payload(of: board, day: $0, period: $1)
        }
        #expect(Set(readings.map(\.payload)) == Set(expected))
        #expect(Set(readings.map(\.address)).count == 4)
        #expect(readings.count == 4, "an address had two payloads, or a payload two addresses")
        for phone in phones { #expect(phone.violations == []) }
        #expect(board.controller.violations == [])
        #expect(board.controller.truth.linkCount > 100)
    }

    @Test func `HP-D06: adverts change their address together with the identity and at no other time`() {
        let world = World(seed: 12)
        let board = board("worn", in: world)
        // Records LE Set Random Address and LE Set Advertising Enable, as sent by the board.
        var (addresses, starts): ([[UInt8]], [[UInt8]]) = ([], [])
        board.observeTraffic { packet, isFromBoard in
            guard isFromBoard, packet.count > 4, packet[0] == 1, packet[2] == 0x20 else { return }
            if packet[1] == 0x05, addresses.last != Array(packet[4...]) {
                addresses.append(Array(packet[4...]))
            }
            if packet[1] == 0x0a, packet[4] == 1, let last = addresses.last { starts.append(last) }
        }
        board.powerOn()
        board.clock.setWallClock(
            WallClockTime(days: UInt64(Self.epochDay) + 5) + .seconds(1), errorMilliseconds: 20)
        world.run(for: .hours(2))
        // Each renewal tells the controller its address again. There is one address for bring-up, one for
        // each of twenty periods, and one for the next period. Advertising may start several times under
        // each, because the agent confirms it from time to time.
        #expect(Set(addresses).count == addresses.count)
        #expect((21...24).contains(addresses.count))
        #expect(Set(starts).count == 20 || Set(starts).count == 21)
        #expect(board.controller.violations == [])
    }

    @Test func `X8: two wearables have different secrets and payloads`() throws {
        let world = World(seed: 13)
        let boards = [board("one", in: world), board("other", in: world)]
        let payloads = try boards.map { try payload(of: $0, day: 7, period: 7) }
        #expect(boards[0].secret != boards[1].secret)
        #expect(payloads[0] != payloads[1])
    }
}
