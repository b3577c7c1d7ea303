import ArgumentParser
import CommandLineText
import Foundation
import Simulator

/// Runs worlds from seeds, and checks their invariants.
struct RunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run the agent in random worlds and check invariants.",
        usage: "tabard-sim run [<options>]",
        discussion: """
            Examples:
              tabard-sim run --seeds 50
              tabard-sim run --seed 17 --trace --snoop seed17.snoop

            Each seed determines one world and all its faults (docs/simulator.md). A failure prints \
            a line with the seed that replays it, then the options of that world.
            """)

    @Option(help: "Run only this seed.") var seed: UInt64?
    @Option(help: "Number of seeds, 1 to 2^62.") var seeds: UInt64 = 100
    @Option(help: "First seed, up to 2^62.") var first: UInt64 = 1
    @Option(help: "Simulated hours of each safety phase, more than 0, up to 10000.") var hours: Double = 1
    @Option(help: "Number of processes, 1 to 64.") var jobs: UInt64 = 2
    @OptionGroup var version: VersionOption
    @Flag(help: "Omit radio faults.") var withoutRadioFaults = false
    @Flag(help: "Print the agent's log and the faults with virtual times.") var trace = false
    @Option(help: ArgumentHelp("Write the HCI traffic to this btsnoop file.", valueName: "file"))
    var snoop: String?
    @Option(help: .hidden) var worker: UInt64?
    /// Tests the output for a seed that ends the program.
    @Option(help: .hidden) var trapAt: UInt64?

    /// The number of fault kinds that `make sim` guarantees per hour.
    private static let leastKinds = 3

    func validate() throws {
        guard hours > 0, hours <= 10_000 else {
            throw ValidationError("--hours must be more than 0 and at most 10000")
        }
        guard jobs > 0, jobs <= 64 else { throw ValidationError("--jobs must be from 1 to 64") }
        guard seeds > 0, seeds <= 1 << 62 else { throw ValidationError("--seeds must be from 1 to 2^62") }
        guard first <= 1 << 62 else { throw ValidationError("--first must be at most 2^62") }
        if seed == nil, trace || snoop != nil { throw ValidationError("--trace and --snoop need --seed") }
    }

    func run() throws {
        if let seed { return try runOne(seed) }
        if let worker { return try runShare(worker) }
        try runAll()
    }

    // MARK: One seed

    private func runOne(_ seed: UInt64) throws {
        let run = SimulatedRun(options(seed))
        if trace { run.trace { print($0) } }
        var capture: SnoopFile?
        if let snoop { capture = try SnoopFile(path: snoop, of: run.board) }
        let clock = ContinuousClock()
        let start = clock.now
        let outcome = run.run()
        capture?.close()
        for line in report(outcome).lines { print(line) }
        print("options: \(outcome.options)")
        let recoveries = ExternalRecovery.allCases.filter(outcome.externalRecoveries.contains)
        if !recoveries.isEmpty {
            print("recovered from outside: \(recoveries.map(\.text).joined(separator: "; "))")
        }
        let hours = outcome.simulated.seconds / 3_600
        print(
            "\(outcome.reportCount) reports, \(outcome.pageCount) pages, \(outcome.startCount) starts, "
                + "\(outcome.acknowledgedByteCount) bytes acknowledged; trace \(String(outcome.traceHash, radix: 16)); "
                + "\(Rate.text(hours, since: start)) simulated hours/s")
        if outcome.hasFailed { throw ExitCode(EX_SOFTWARE) }
    }

    private func options(_ seed: UInt64) -> RunOptions {
        var options = RunOptions(seed: seed)
        options.duration = SimulatedDuration.milliseconds(UInt64(hours * 3_600_000)) * options.lengthFactor
        if withoutRadioFaults {
            options.faults.removeAll { if case .radio = $0.kind { true } else { false } }
        }
        return options
    }

    private func report(_ outcome: SimulatedRun.Outcome) -> SeedReport {
        SeedReport(outcome, replay: replay(outcome.options.seed))
    }

    private func replay(_ seed: UInt64) -> WorldReplay { replay(from: seed, "SEED=\(seed)") }

    /// The replay of a failure that only all seeds together show.
    private var replayOfAll: WorldReplay {
        replay(from: first, "SEEDS=\(seeds)", first == 1 ? [] : ["--first \(first)"])
    }

    private func replay(from seed: UInt64, _ which: String, _ options: [String] = []) -> WorldReplay {
        let options =
            options + (hours == 1 ? [] : ["--hours \(hours)"])
            + (withoutRadioFaults ? ["--without-radio-faults"] : [])
        return WorldReplay(
            seed: seed, commit: version.commit,
            command: "make sim \(which)"
                + (options.isEmpty ? "" : " SIM_OPTIONS=\"\(options.joined(separator: " "))\""))
    }

    // MARK: All seeds

    /// Runs every `jobs`-th seed, and prints a line for each.
    private func runShare(_ worker: UInt64) throws {
        for seed in stride(from: first + worker, to: first + seeds, by: Int(jobs)) {
            print("> \(replay(seed).name)")
            fflush(nil)
            precondition(seed != trapAt, "as asked by --trap-at")
            let outcome = SimulatedRun(options(seed)).run()
            print(try SeedResult(outcome, report(outcome)).line())
            fflush(nil)
        }
    }

    private func runAll() throws {
        let pool = WorkerPool(jobs: jobs) { worker in
            [
                "run", "--seeds", "\(seeds)", "--first", "\(first)", "--hours", "\(hours)", "--jobs",
                "\(jobs)",
                "--commit", version.commit, "--worker", "\(worker)",
            ] + (withoutRadioFaults ? ["--without-radio-faults"] : [])
                + (trapAt.map { ["--trap-at", "\($0)"] } ?? [])
        }
        var done: UInt64 = 0
        var failed: UInt64 = 0
        var simulatedHours = 0.0
        var recoveries = ExternalRecoveryCounter()
        var least = (kinds: Int.max, seed: first)
        let clock = ContinuousClock()
        let start = clock.now
        try pool.run { line in
            guard let result = SeedResult(line: line) else { return print(line) }
            done += 1
            simulatedHours += result.simulatedHours
            recoveries.add(result.recoveries)
            if result.faultKindCount < least.kinds { least = (result.faultKindCount, result.seed) }
            if result.hasFailed {
                failed += 1
                ProgressText.clear()
                for line in result.failureLines { print(line) }
            }
            ProgressText.show(
                "\(done) of \(seeds) seeds, \(failed) failed, \(Rate.text(simulatedHours, since: start)) simulated hours/s"
            )
        }
        ProgressText.clear()
        print(
            "sim: \(done) seeds, \(failed) failed, \(recoveries.text), \(Rate.number(simulatedHours)) simulated hours, "
                + "\(Rate.text(simulatedHours, since: start)) simulated hours/s, commit \(version.commit)")
        guard done == seeds else {
            throw Failure(.software, "only \(done) of \(seeds) seeds finished")
        }
        let complaint = recoveries.complaint
        if let complaint { print(replayOfAll.failure(complaint)) }
        if failed > 0 || complaint != nil { throw ExitCode(EX_SOFTWARE) }
        guard hours < 1 || withoutRadioFaults || least.kinds >= Self.leastKinds else {
            try replay(least.seed).fail("only \(least.kinds) kinds of fault happened")
        }
    }
}
