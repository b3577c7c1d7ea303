import FlashSimulator
import Testing

@testable import Simulator

/// A few seeds. `make sim` runs a thousand in optimised code.
@Suite struct SimulatedRunTests {
    private func options(seed: UInt64) -> RunOptions {
        var options = RunOptions(seed: seed)
        options.duration = .minutes(6)
        // Radio faults need the optimised program: `make sim`.
        options.faults.removeAll { if case .radio = $0.kind { true } else { false } }
        return options
    }

    @Test(arguments: [UInt64(101), 102, 103]) func `a run from a seed holds all invariants`(seed: UInt64) {
        let outcome = SimulatedRun(options(seed: seed)).run()
        #expect(outcome.violations.map { "\($0)" } == [], "seed \(seed): \(outcome.options)")
        #expect(outcome.simulated > .minutes(6))
    }

    @Test func `the same seed gives the same run`() {
        var options = options(seed: 7)
        options.duration = .minutes(3)
        let outcomes = (0..<2).map { _ in SimulatedRun(options).run() }
        #expect(outcomes[0].traceHash == outcomes[1].traceHash)
        #expect(outcomes[0].pageCount == outcomes[1].pageCount)
    }

    @Test func `each seed draws three to eleven kinds of fault, each kind once`() {
        let counts = (UInt64(0)..<1_000).map { seed in
            let kinds = RunOptions(seed: seed).faults.map(\.kind)
            #expect(Set(kinds).count == kinds.count, "seed \(seed)")
            return kinds.count
        }
        #expect(Set(counts) == Set(3...11))
    }

    @Test func `every fault drawn can have an effect in its world`() {
        for seed in UInt64(1)...1_000 {
            let options = RunOptions(seed: seed)
            for (kind, _) in options.faults { #expect(options.canAct(kind), "seed \(seed): \(kind)") }
        }
    }

    @Test func `faults of the sync line are drawn only if the line is used`() {
        let ofLine: [BoardFault] = [.split, .loss, .corruption, .hangUp, .lineSilence]
        for seed in UInt64(1)...1_000 {
            let options = RunOptions(seed: seed)
            if options.faults.contains(where: { fault in ofLine.contains { fault.kind == .board($0) } }) {
                #expect(options.hostCount > 0 || options.has(.operatorSends), "seed \(seed)")
            }
        }
    }

    @Test func `faults of wall time are drawn only if the board gets the time`() {
        for seed in UInt64(1)...1_000 {
            let options = RunOptions(seed: seed)
            let kinds = options.faults.map(\.kind)
            if kinds.contains(.board(.noWallTime)) || kinds.contains(.board(.wallTimeStep)) {
                #expect(
                    options.knowsWallTime || options.hostCount > 0 || options.has(.operatorSends),
                    "seed \(seed)")
            }
        }
    }

    @Test func `faults of reports need a device on the air, faults of links a connecting one`() {
        var options = RunOptions(seed: 1)
        (options.phoneCount, options.unsupportedPeerCount, options.world) = (0, 0, [])
        #expect(!options.canAct(.radio(.emptyReports)))
        options.unsupportedPeerCount = 1
        #expect(options.canAct(.radio(.emptyReports)))
        #expect(!options.canAct(.radio(.rolesStoppedByConnection)))
        options.world = [.neighbour, .silent]
        #expect(options.canAct(.radio(.rolesStoppedByConnection)))
        #expect(!options.canAct(.radio(.wedgeWhenConnecting)))
    }

    @Test func `failing reads need a log that is mounted again or fetched`() {
        var options = RunOptions(seed: 1)
        (options.hostCount, options.world, options.faults) = (0, [], [])
        #expect(!options.canAct(.board(.readFailure)))
        options.faults = [(.board(.agentKilled), 180)]
        #expect(options.canAct(.board(.readFailure)))
        (options.hostCount, options.faults) = (1, [])
        #expect(options.canAct(.board(.readFailure)))
    }

    /// Continuous integration runs these seeds.
    @Test func `the first sixty seeds cover every world option`() {
        let drawn = (UInt64(1)...60).map { RunOptions(seed: $0).world }
        for option in WorldOption.allCases {
            #expect(drawn.contains { $0.contains(option) }, "\(option)")
        }
        #expect(drawn.contains([]), "and one that is as most")
    }

    @Test func `the description of a run names its world options`() throws {
        let seed = try #require((UInt64(1)...60).first { RunOptions(seed: $0).has(.wearable) })
        let options = RunOptions(seed: seed)
        for option in options.world { #expect("\(options)".contains(option.rawValue), "seed \(seed)") }
    }

    /// Agreement in several seeds shows that faults, numbers and worlds have streams of their own.
    @Test func `world options do not affect the other values drawn from a seed`() {
        for seed in UInt64(1)...20 {
            var random = RandomStream(seed: seed).split("options")
            #expect(RunOptions(seed: seed).transport == (random.chance(0.5) ? .packets : .stream))
            #expect(RunOptions(seed: seed).phoneCount == Int(random.below(5)))
        }
    }

    @Test func `every kind of fault is drawn by some seed`() {
        let drawn = Set((UInt64(0)..<200).flatMap { RunOptions(seed: $0).faults.map(\.kind) })
        #expect(drawn == Set(FaultKind.allCases))
    }

    @Test
    func
        `half of the worlds have an overwritable medium, which is the default of boards`()
    {
        let count = (UInt64(1)...1_000).count { RunOptions(seed: $0).boardSetup.isOverwritable }
        #expect((400...600).contains(count))
        #expect(BoardSetup().isOverwritable)
        var options = RunOptions(seed: 1)
        options.world = [.overwritableMedium]
        #expect(!options.canAct(.board(.eraseFailure)))
        options.world = [.overwritableMedium, .retention]
        #expect(options.canAct(.board(.eraseFailure)))
    }
}
