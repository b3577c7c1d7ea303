import ArgumentParser
import Foundation
import Simulator

/// Measures the speed of the simulation on this machine.
struct SpeedCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "speed", abstract: "Measure the speed of the simulation.",
        discussion: """
            Examples:
              tabard-sim speed --devices 500

            The output has the agent's steps a second of an idle board, and the speed in a crowd.
            """)

    @Option(help: "Number of advertisers around the board.") var devices: UInt64 = 2_000

    func run() throws {
        idle()
        crowd()
    }

    private func idle() {
        let world = World(seed: 1)
        let board = SimulatedBoard("board", in: world)
        board.powerOn()
        let elapsed = Self.processorSeconds { world.run(for: .days(2)) }
        print("idle: \(Self.rate(board.stepCount, in: elapsed)) steps/s")
        world.end()
    }

    private func crowd() {
        let world = World(seed: 1)
        world.air.propagation.fadingDB = 4
        world.air.propagation.shadowingDB = 4
        var setup = BoardSetup()
        setup.options += ["encounters.peers=4096"]
        let board = SimulatedBoard("board", setup, in: world)
        var random = world.random("places")
        for number in 0..<devices {
            let place = Position(Double(random.below(40)) - 20, Double(random.below(40)) - 20)
            let station = Station("\(number)", at: Route(standingAt: place), in: world)
            station.advertise(
                Advertisement(
                    address: .staticRandom(seed: number + 1), kind: .nonConnectable,
                    data: [2, 1, 6, 3, 3, 0x0f, 0x18]), every: .milliseconds(1_000))
        }
        board.powerOn()
        let elapsed = Self.processorSeconds { world.run(for: .seconds(120)) }
        print(
            "crowd: \(Self.rate(board.controller.truth.reportsTaken, in: elapsed)) reports/s,",
            "\(Self.rate(world.air.advertCount, in: elapsed)) adverts/s,",
            "\(world.air.collisionCount) collisions, \(board.controller.truth.reportsLost) lost")
        world.end()
    }

    /// The processor time of this process, without other programs.
    private static func processorSeconds(_ work: () -> Void) -> Double {
        let start = clock()
        work()
        return Double(clock() - start) / Double(CLOCKS_PER_SEC)
    }

    private static func rate(_ count: UInt64, in seconds: Double) -> Int { Int(Double(count) / seconds) }
}
