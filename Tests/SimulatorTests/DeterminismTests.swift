import FixedMemory
import Simulator
import Testing

/// A world with all features runs the same way each time.
@Suite struct DeterminismTests {
    /// The run with which the tests compare others.
    private static let first = trace(seed: 11, over: .packets)

    private static func trace(seed: UInt64, over kind: HCITransport.Kind, extraDraw: Bool = false) -> Trace {
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
        for (number, passer) in Bystander.Kind.allCases.enumerated() {
            _ = Bystander("\(number)", passer, at: Route(standingAt: Position(Double(number), 5)), in: world)
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
    func `the same seed gives the same trace`(kind: HCITransport.Kind) {
        let first = kind == .packets ? Self.first : Self.trace(seed: 11, over: kind)
        #expect(first == Self.trace(seed: 11, over: kind))
        #expect(first.eventCount > 5_000)
    }

    /// All schemes make keys, and phones receive identities derived from them.
    private func traceWithAllSchemes(seed: UInt64) -> (trace: Trace, readCount: UInt64) {
        let world = World(seed: seed)
        var setup = BoardSetup()
        setup.options =
            ["agent.role=wearable"]
            + ["sonar", "covid_tracer", "ble_proximity", "exposure_notification"].map { "schemes.\($0)=on" }
        setup.provideSchemes(drawnFrom: world.random("secrets"))
        let board = SimulatedBoard("board", setup, in: world)
        let epochSeconds = UInt64(SimulatedBoard.heraldEpochDay + 100) * 86_400
        let phones = SchemePhoneKind.all.enumerated().map { number, kind in
            SchemePhone(
                kind.name, kind, epochSeconds: epochSeconds,
                at: Route(standingAt: Position(Double(number) + 1, 0)), in: world)
        }
        board.powerOn()
        board.clock.setWallClock(WallClockTime(seconds: epochSeconds), errorMilliseconds: 20)
        world.run(for: .minutes(10))
        return (world.trace, phones.reduce(0) { $0 + $1.readCount })
    }

    /// Such a board draws its keys from its world's seed, too.
    @Test func `the same seed gives the same trace with all schemes and no encryption`() {
        let first = traceWithAllSchemes(seed: 11)
        #expect(first.trace == traceWithAllSchemes(seed: 11).trace)
        #expect(first.trace != traceWithAllSchemes(seed: 12).trace)
        #expect(first.readCount > 3)
    }

    @Test func `another seed gives another trace`() {
        #expect(Self.first != Self.trace(seed: 12, over: .packets))
    }

    @Test func `one more draw in one place changes nothing elsewhere`() {
        #expect(Self.first == Self.trace(seed: 11, over: .packets, extraDraw: true))
    }

    @Test(arguments: [-200, -3, 0, 1, 37, 500] as [Int64])
    func `deadlines are met on a clock that drifts`(driftPPM: Int64) {
        let world = World(seed: 1)
        var setup = BoardSetup()
        setup.driftPPM = driftPPM
        let board = SimulatedBoard("board", setup, in: world)
        board.powerOn()
        world.run(for: .hours(1))
        // The steps are one per second, those for probing and restarted advertising, and the commands at the
        // start.
        #expect((3_600...7_500).contains(board.stepCount))
    }
}
