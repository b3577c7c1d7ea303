import Simulator
import Testing

/// A world with everything in it runs the same way each time.
@Suite struct DeterminismTests {
    private func trace(seed: UInt64, over kind: HCITransport.Kind, extraDraw: Bool = false) -> Trace {
        let world = World(seed: seed)
        world.air.propagation.fadingDB = 4
        world.air.propagation.shadowingDB = 4
        world.air.propagation.interference = 0.02
        var setup = BoardSetup()
        setup.transport = kind
        setup.driftPPM = 37
        let board = SimulatedBoard("board", setup, in: world)
        if extraDraw {
            var random = world.random("something else")
            _ = random.next()
        }
        for (number, phone) in PhoneKind.all.enumerated() {
            _ = SimulatedPhone(
                phone.name, phone, at: Route(standingAt: Position(Double(number), 1)), in: world)
        }
        for (number, passer) in Passer.Kind.allCases.enumerated() {
            _ = Passer("\(number)", passer, at: Route(standingAt: Position(Double(number), 5)), in: world)
        }
        board.controller.faults.floodPerSecond = 200
        board.powerOn()
        for (number, fault) in ControllerFault.allCases.enumerated() {
            let start = SimulatedTime.zero + .seconds(20 + 15 * UInt64(number))
            world.at(start) { board.controller.faults.begin(fault, cure: .byItself) }
            world.at(start + .seconds(8)) { board.controller.faults.end(fault) }
        }
        world.at(.zero + .seconds(100)) { board.cutPower() }
        world.at(.zero + .seconds(105)) { board.powerOn() }
        world.run(for: .minutes(5))
        return world.trace
    }

    @Test(arguments: [HCITransport.Kind.packets, .stream])
    func theSameSeedGivesTheSameTrace(kind: HCITransport.Kind) {
        let first = trace(seed: 11, over: kind)
        #expect(first == trace(seed: 11, over: kind))
        #expect(first.eventCount > 5_000)
    }

    @Test func anotherSeedGivesAnotherTrace() {
        #expect(trace(seed: 11, over: .packets) != trace(seed: 12, over: .packets))
    }

    @Test func aDrawMoreInOnePlaceChangesNothingElsewhere() {
        #expect(trace(seed: 11, over: .packets) == trace(seed: 11, over: .packets, extraDraw: true))
    }

    @Test(arguments: [-200, -3, 0, 1, 37, 500] as [Int64])
    func deadlinesAreMetOnAClockThatDrifts(driftPPM: Int64) {
        let world = World(seed: 1)
        var setup = BoardSetup()
        setup.driftPPM = driftPPM
        let board = SimulatedBoard("board", setup, in: world)
        board.powerOn()
        world.run(for: .hours(1))
        // Once a second, what probing and advertising anew take, and the commands of the beginning.
        #expect((3_600...7_200).contains(board.stepCount))
    }
}
