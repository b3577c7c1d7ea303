import ArgumentParser
import CommandLineText
import Foundation
import Simulator

/// Runs a board in rooms to which groups of devices come and which they leave at once.
struct SparseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sparse",
        abstract: "Check that groups that leave at once are no fault of the radio.",
        usage: "tabard-sim sparse [<options>]",
        discussion: """
            Examples:
              tabard-sim sparse --days 7 --seeds 4

            Groups of 1 to 12 devices come, stay for up to ten minutes and leave together. The check \
            fails if the board takes a departure for a fault, resets its controller more often than \
            groups leave, covers less than 99 % of the time, or leaves out more than 30 s at a time.
            """)

    @Option(help: "Simulated days, 1 to 1000.") var days: UInt64 = 7
    @Option(help: "First seed.") var seed: UInt64 = 1
    @Option(help: "Number of rooms, 1 to 1000.") var seeds: UInt64 = 1
    @Flag(help: "Print the agent's log with virtual times.") var trace = false
    @OptionGroup var version: VersionOption

    func validate() throws {
        guard days > 0, days <= 1_000 else { throw ValidationError("--days must be from 1 to 1000") }
        guard seeds > 0, seeds <= 1_000 else { throw ValidationError("--seeds must be from 1 to 1000") }
    }

    func run() throws {
        var complaints = 0
        for seed in seed..<seed + seeds {
            let room = SparseRoom(
                days: days, seed: seed, onLine: trace ? { print("  \($0)") } : nil)
            print(
                "sparse: seed \(seed), \(days) days, \(room.groupCount) groups, \(room.faultCount) faults, "
                    + "\(room.rungCount) resets, "
                    + String(
                        format: "%.3f %% covered, at most %.1f s left out at a time (at %.0f s)",
                        room.coveredFraction * 100, room.longestUncoveredSeconds,
                        room.longestUncoveredStartSeconds))
            guard let complaint = room.complaint else { continue }
            complaints += 1
            print(version.world(seed: seed, ["sparse", "--days", "\(days)"]).failure(complaint))
        }
        if complaints > 0 { throw Failure(.software, "\(complaints) sparse rooms failed") }
    }
}
