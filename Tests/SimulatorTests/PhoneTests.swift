import Simulator
import Testing

/// A board among phones of every kind.
@Suite struct PhoneTests {
    private func meet(_ kind: PhoneKind, for duration: SimulatedDuration = .minutes(2)) -> (
        SimulatedBoard, SimulatedPhone
    ) {
        let world = World(seed: 5)
        let board = SimulatedBoard("board", in: world)
        let phone = SimulatedPhone("phone", kind, at: Route(standingAt: Position(2, 0)), in: world)
        board.powerOn()
        world.run(for: duration)
        #expect(board.controller.violations == [])
        #expect(phone.violations == [])
        return (board, phone)
    }

    @Test(arguments: [PhoneKind.android, .legacy, .backgroundIPhone, .slow].map(\.name))
    func `payloads are exchanged`(kind name: String) throws {
        let kind = try #require(PhoneKind.all.first { $0.name == name })
        let (_, phone) = meet(kind)
        #expect(phone.servedCount > 0)
        #expect(phone.boardsRead.count == 1)
    }

    @Test func `a phone that cannot advertise writes its signals`() {
        let (_, phone) = meet(.writer)
        #expect(phone.signalCount >= 2)
        #expect(phone.boardsRead.count == 1)
    }

    @Test func `an unsupported peer is probed and then left alone`() {
        let (board, phone) = meet(.otherIPhone)
        #expect(phone.linkCount >= 1 && phone.servedCount == 0)
        #expect(board.counters?.reports ?? 0 > 100)
    }

    @Test func `a phone changes its address and may keep its payload`() {
        let (_, rotating) = meet(.rotating, for: .minutes(15))
        #expect(rotating.addresses.count == 3 && rotating.payloads.count == 1)
        let (_, renewing) = meet(.renewing, for: .minutes(15))
        #expect(renewing.addresses.count == 3 && renewing.payloads.count == 3)
        #expect(renewing.servedCount >= 3)
    }

    @Test(arguments: [PhoneKind.mute, .vanishing].map(\.name))
    func `faulty phones do not stop the board`(kind name: String) throws {
        let kind = try #require(PhoneKind.all.first { $0.name == name })
        let (board, phone) = meet(kind, for: .minutes(5))
        #expect(phone.linkCount >= 1)
        #expect(board.controller.truth.scanningSince != nil)
        #expect(board.state == .running && board.startCount == 1)
    }

    @Test func `two boards read each other`() {
        let world = World(seed: 9)
        var setup = BoardSetup()
        let first = SimulatedBoard("first", setup, in: world)
        setup.place = Route(standingAt: Position(3, 0))
        setup.options = ["herald.location=654321"]
        let second = SimulatedBoard("second", setup, in: world)
        first.powerOn()
        world.run(for: .seconds(3))
        second.powerOn()
        world.run(for: .minutes(2))
        for board in [first, second] {
            #expect(board.controller.violations == [])
            #expect(board.controller.truth.linkCount >= 1)
            #expect(board.controller.truth.reportsTaken > 100)
        }
    }

    @Test func `adverts of a crowd are received and collide`() {
        let world = World(seed: 2)
        world.air.propagation.fadingDB = 3
        let board = SimulatedBoard("board", in: world)
        var random = world.random("places")
        for number in 0..<2_000 {
            let kinds = Bystander.Kind.allCases
            let place = Position(Double(random.below(30)), Double(random.below(30)))
            _ = Bystander(
                "\(number)", kinds[number % kinds.count], every: .seconds(1),
                at: Route(standingAt: place), in: world)
        }
        board.powerOn()
        world.run(for: .seconds(20))
        #expect(world.air.collisionCount > 1_000)
        #expect(board.controller.truth.reportsTaken > 3_000)
        #expect(board.controller.truth.reportsTaken == UInt64(board.counters?.reports ?? 0))
        #expect(board.controller.violations == [])
    }

    @Test func `without a listener, adverts cost no time`() {
        let world = World(seed: 2)
        for number in 0..<1_000 {
            _ = Bystander(
                "\(number)", .earphones, at: Route(standingAt: Position(0, 0)), in: world)
        }
        world.run(for: .hours(1))
        #expect(world.wakeCount < 3_000)
    }

    @Test func `a phone out of reach is not heard`() throws {
        let world = World(seed: 2)
        let board = SimulatedBoard("board", in: world)
        let route = try #require(
            Route([
                (.zero, Position(2, 0)), (.zero + .seconds(20), Position(2, 0)),
                (.zero + .seconds(40), Position(2_000, 0)),
            ]))
        _ = Bystander("walker", .earphones, at: route, in: world)
        board.powerOn()
        world.run(for: .seconds(60))
        let heard = board.controller.truth.reportsTaken
        #expect(heard > 50)
        world.run(for: .seconds(60))
        #expect(board.controller.truth.reportsTaken == heard)
    }
}
