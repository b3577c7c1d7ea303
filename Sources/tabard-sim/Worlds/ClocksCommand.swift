import ArgumentParser
import Simulator

/// Runs a board whose clocks are wrong.
struct ClocksCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clocks",
        abstract: "Check that wrong clocks erase nothing that is young.",
        discussion: """
            Examples:
              tabard-sim clocks

            Each script sets the clocks of a board wrong for days or weeks, and right again. The check \
            fails if a segment that no host has fetched is erased before the retention time, if a key \
            goes before its day is over, or if in a long script nothing is erased.
            """)

    @Option(help: "Seed of the world.") var seed: UInt64 = 1
    @OptionGroup var version: VersionOption

    func run() throws {
        var failures: [String] = []
        for script in ClockWorld.scripts {
            let outcome = ClockWorld.run(script, seed: seed)
            let facts =
                "\(outcome.hours) h, lost \(outcome.lostSegments) segments and \(outcome.lostKeys) keys; "
                + "erased when over: \(outcome.expiredSegments) segments, left \(outcome.leftKeys) keys"
            print("clocks: \(script.name): \(facts)")
            let isLeft = script.isLong && (outcome.expiredSegments == 0 || outcome.leftKeys > 0)
            if outcome.hasLost || isLeft { failures.append("\(script.name): \(facts)") }
        }
        guard failures.isEmpty else {
            try version.world(seed: seed, ["clocks"]).fail(failures.joined(separator: "; "))
        }
    }
}
