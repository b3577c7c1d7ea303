import ArgumentParser
import Foundation
import Simulator

/// Runs a board in a room that stays empty.
struct EmptyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "empty",
        abstract: "Check that a board alone does not reset its radio.",
        discussion: """
            Examples:
              tabard-sim empty --days 7

            The check fails if the board takes a recovery action, if less than 99.9 % of the time is \
            covered, or if memory grows.
            """)

    @Option(help: "Simulated days, 1 to 10000.") var days: UInt64 = 7
    @Option(help: "Seed of the world.") var seed: UInt64 = 1
    @OptionGroup var version: VersionOption

    func validate() throws {
        guard days > 0, days <= 10_000 else { throw ValidationError("--days must be from 1 to 10000") }
    }

    func run() throws {
        let start = ContinuousClock.now
        let room = EmptyRoom(days: days, seed: seed)
        let facts =
            "\(days) days, \(room.recoveryActions) recovery actions, "
            + String(format: "%.3f %% covered, ", room.coveredFraction * 100)
            + "memory \(room.memoryGrowth == 0 ? "the same to the byte" : "grown by \(room.memoryGrowth) bytes")"
        print("empty: \(facts), \(Rate.text(Double(days) * 24, since: start)) simulated hours/s")
        guard room.recoveryActions == 0, room.coveredFraction > 0.999, room.memoryGrowth == 0 else {
            try version.world(seed: seed, ["empty", "--days", "\(days)"])
                .fail("the board did not leave its radio alone: \(facts)")
        }
    }
}
