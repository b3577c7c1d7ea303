import ArgumentParser
import CommandLineText
import Foundation
import Simulator

/// Compares rooms with attackers to rooms with harmless devices.
struct AttackersCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attackers", abstract: "Compare rooms with and without radio attackers.",
        usage: "tabard-sim attackers [<options>]",
        discussion: """
            Examples:
              tabard-sim attackers --seeds 100 --jobs 2
              tabard-sim attackers --seed 7

            Attackers write identities and RSSI under others' addresses, rename others by pseudo \
            addresses, and flood the board with writes. Each seed runs twice: with them, and with \
            harmless devices of as many adverts and connections. Identities and encounters of honest \
            phones must be the same. Their samples must hold only what the controller measured, and \
            at most 2 % fewer readings.
            """)

    @Option(help: "Number of seeds, from 1 on.") var seeds: UInt64 = 10
    @Option(help: "Run only this seed.") var seed: UInt64?
    @Option(help: "Simulated minutes of each room, 5 to 240.") var minutes: UInt64 = 25
    @Option(help: "Number of parallel workers.") var jobs: UInt64 = 1
    /// The share of a worker: every `jobs`-th seed from this one on.
    @Option(help: .hidden) var share: UInt64?
    @OptionGroup var version: VersionOption

    func validate() throws {
        guard (5...240).contains(minutes) else { throw ValidationError("--minutes must be 5 to 240") }
        guard jobs > 0 else { throw ValidationError("--jobs must be at least 1") }
    }

    func run() throws {
        if let seed {
            guard tries(seed) else { throw Failure(.software, "the attackers of 1 room reached something") }
            return
        }
        if let share {
            for seed in stride(from: share, through: seeds, by: Int(jobs)) {
                print("> \(world(seed).name)")
                fflush(nil)
                _ = tries(seed)
                fflush(nil)
            }
            return
        }
        let start = Date.now
        var failures = 0
        let pool = WorkerPool(jobs: min(jobs, max(seeds, 1))) { worker in
            [
                "attackers", "--seeds", "\(seeds)", "--minutes", "\(minutes)",
                "--jobs", "\(min(jobs, max(seeds, 1)))", "--share", "\(worker + 1)",
                "--commit", version.commit,
            ]
        }
        var lines = 0
        try pool.run { line in
            lines += 1
            if !line.hasSuffix(Self.good) { failures += 1 }
            print(line)
        }
        let seconds = String(format: "%.0f", Date.now.timeIntervalSince(start))
        print("\(lines) rooms in \(seconds) s, \(failures) in which attackers reached something")
        if failures > 0 { throw Failure(.software, "the attackers of \(failures) rooms reached something") }
    }

    /// The end of each line about a room in which attackers reached nothing.
    private static let good = "% fewer"

    private func world(_ seed: UInt64) -> WorldReplay {
        version.world(seed: seed, ["attackers", "--minutes", "\(minutes)"])
    }

    /// Runs the rooms of a seed, and prints the outcome.
    private func tries(_ seed: UInt64) -> Bool {
        let trial = AttackTrial(seed: seed, minutes: minutes)
        if let complaint = trial.complaint {
            print(world(seed).failure(complaint))
            return false
        }
        print(
            "seed \(seed): \(trial.phoneCount) phones, \(trial.attackerCount) attackers, "
                + "\(trial.writeCount) writes acknowledged, \(trial.readingCount) readings, "
                + "\(String(format: "%.2f", trial.lossPercent)) \(Self.good)")
        return true
    }
}
