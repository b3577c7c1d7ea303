import Analysis
import ArgumentParser
import CommandLineText
import FormalSimulation
import Foundation
import Simulator

/// Runs Herald's formal test.
struct FormalCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "formal",
        abstract: "Run Herald's formal test in simulated rooms.",
        usage: "tabard-sim formal [<options>]",
        discussion: """
            Examples:
              tabard-sim formal --seeds 20
              tabard-sim formal --who mixed --devices 10 --hours 2 --seeds 3
              tabard-sim formal --who tabard --devices 10 --seed 7
              tabard-sim formal --who tabard --devices 10 --duty saver --seeds 3
              tabard-sim formal --compare --seeds 20 --hours 4
              tabard-sim formal --who tabard --devices 10 --schemes all --others 5 --seed 7

            Devices lie 1 to 8 m apart for hours. The results come from their logs: detection \
            (ordered pairs that met), continuity (30-second windows with a contact) and longevity \
            (the last hour compared with the first). docs/formal-test.md describes the room, the \
            radio model and the published results. Without --who and --devices the command runs all \
            rooms of `make formal`.

            The test fails if in any seed boards miss a pair, have less than 99.99 % continuity, or \
            less than 99.8 % longevity in the windows that fit in an hour. It also fails if Herald \
            1.0 on ten phones is outside 90 to 96 %.

            --compare runs each room twice: boards with Herald alone, then with all five schemes and \
            extra phones. It fails if Herald loses more than 1 % of its continuity in any room.
            """)

    @Option(
        name: .customLong("who"),
        help: ArgumentHelp(
            "Devices: tabard, mixed (half phones), android1 (Herald 1.0) or android2 (Herald 1.1).",
            valueName: "kind"))
    var kind: FormalRun.Devices?
    @Option(help: "Number of devices, 2 to 20.") var devices: Int?
    @Option(
        help: ArgumentHelp(
            "With android1: number of phones with a new address for each scan.", valueName: "number"))
    var changing = 2
    @Option(
        help: ArgumentHelp(
            "Schemes of the boards: delivered (the defaults), herald (all others off) or all.",
            valueName: "which"))
    var schemes = FormalRun.Schemes.delivered
    @Option(help: "Scan duty of the boards (radio.duty).") var duty = BoardDuty.continuous
    @Option(
        help: ArgumentHelp(
            "Number of extra phones of the other four schemes, 0 to 20.", valueName: "number"))
    var others = 0
    @Flag(help: "Compare Herald alone with all schemes in the same rooms.")
    var compare = false
    @Option(help: "Simulated hours, 0.01 to 1000.") var hours: Double = 12
    @Option(help: "Number of seeds, at least 1.") var seeds: UInt64 = 20
    @Option(help: "First seed.") var first: UInt64 = 1
    @Option(help: "Run only this seed, and print each pair.") var seed: UInt64?
    @Option(help: "Number of processes, 1 to 64.") var jobs: UInt64 = 1
    @OptionGroup var version: VersionOption
    @Option(help: .hidden) var worker: UInt64?

    func validate() throws {
        guard hours >= 0.01, hours <= 1_000 else {
            throw ValidationError("--hours must be from 0.01 to 1000")
        }
        guard jobs > 0, jobs <= 64 else { throw ValidationError("--jobs must be from 1 to 64") }
        guard seeds > 0 else { throw ValidationError("--seeds must be at least 1") }
        guard (2...20).contains(devices ?? 2) else { throw ValidationError("--devices must be from 2 to 20") }
        guard (0...20).contains(others) else { throw ValidationError("--others must be from 0 to 20") }
        if worker != nil || seed != nil, kind == nil || devices == nil {
            throw ValidationError("--seed needs --who and --devices")
        }
    }

    func run() throws {
        if compare { return try runComparisons() }
        let trials = chosen(of: FormalTrial.all)
        let isOrdinary = schemes == .delivered && others == 0 && duty == .continuous
        if let kind, let devices, trials.isEmpty || !isOrdinary || worker != nil || seed != nil {
            let trial = FormalTrial(
                devices: kind, count: devices, schemes: schemes, duty: duty, otherCount: others)
            if let worker { return try runShare(worker, of: trial) }
            if let seed { return try runOne(seed, of: trial) }
            return try run([trial])
        }
        guard isOrdinary else {
            throw ValidationError("--schemes, --others and --duty need --who and --devices")
        }
        guard !trials.isEmpty else {
            throw ValidationError("--who and --devices: give both, or a pair that `make formal` uses")
        }
        try run(trials)
    }

    private func chosen(of trials: [FormalTrial]) -> [FormalTrial] {
        trials.filter { (kind ?? $0.devices) == $0.devices && (devices ?? $0.count) == $0.count }
    }

    private func options(_ trial: FormalTrial, seed: UInt64) -> FormalRun.Options {
        var options = FormalRun.Options()
        options.devices = trial.devices
        options.deviceCount = trial.count
        options.schemes = trial.schemes
        options.duty = trial.duty
        options.otherCount = trial.otherCount
        options.duration = .seconds(UInt64(hours * 3_600))
        options.changingCount = changing
        options.seed = seed
        return options
    }

    // MARK: Replay

    private func words(_ trial: FormalTrial) -> [String] {
        [
            "formal", "--who", trial.devices.rawValue, "--devices", "\(trial.count)", "--schemes",
            trial.schemes.rawValue, "--duty", trial.duty.rawValue, "--others", "\(trial.otherCount)",
            "--changing", "\(changing)",
            "--hours", "\(hours)",
        ]
    }

    /// The replay of a missed goal. All seeds together miss the goal of a mean.
    private func replay(_ shortfall: FormalGoals.Shortfall, of trial: FormalTrial) -> WorldReplay {
        if let seed = shortfall.seed { return version.world(seed: seed, words(trial)) }
        return version.worlds(
            from: first, words(trial) + ["--first", "\(first)", "--seeds", "\(seeds)"])
    }

    /// The replay of a comparison, which runs over a range of seeds, here of one.
    private func replay(comparisonIn room: FormalTrial, seed: UInt64) -> WorldReplay {
        version.worlds(
            from: seed,
            [
                "formal", "--compare", "--who", room.devices.rawValue, "--devices",
                "\(room.count)", "--changing", "\(changing)", "--hours", "\(hours)",
                "--first", "\(seed)", "--seeds", "1",
            ])
    }

    // MARK: All seeds

    private func printHeader() {
        print("\(seeds) seeds from \(first) on, \(Rate.number(hours)) simulated hours each")
        print(FormalTrialTable.header)
    }

    private func run(_ trials: [FormalTrial]) throws {
        printHeader()
        var hasFailed = false
        for trial in trials {
            let start = ContinuousClock.now
            let outcomes = try outcomes(of: trial, since: start)
            ProgressText.clear()
            for line in FormalTrialTable(trial, outcomes).lines { print(line) }
            let goals = trial.goals(changingCount: changing)
            for shortfall in goals?.shortfalls(of: outcomes) ?? [] {
                hasFailed = true
                print(replay(shortfall, of: trial).failure("\(trial.name): \(shortfall.text)"))
            }
            fflush(nil)
        }
        if hasFailed { throw ExitCode(EX_SOFTWARE) }
    }

    private func runComparisons() throws {
        let rooms = chosen(of: FormalComparison.rooms)
        guard !rooms.isEmpty else {
            throw ValidationError("--who and --devices: no such room to compare")
        }
        printHeader()
        var hasFailed = false
        for room in rooms {
            print(room.room)
            let trials = FormalComparison.trials(in: room)
            let both = try trials.map { trial in
                let outcomes = try outcomes(of: trial, since: .now)
                ProgressText.clear()
                for line in FormalTrialTable(trial, outcomes).lines { print(line) }
                fflush(nil)
                return outcomes
            }
            let comparison = FormalComparison(room, alone: both[0], together: both[1])
            for line in comparison.lines { print(line) }
            if let shortfall = comparison.shortfall {
                hasFailed = true
                print(
                    replay(comparisonIn: room, seed: shortfall.seed ?? first).failure(shortfall.text))
            }
            fflush(nil)
        }
        if hasFailed { throw ExitCode(EX_SOFTWARE) }
    }

    private func outcomes(
        of trial: FormalTrial, since start: ContinuousClock.Instant
    ) throws -> [FormalRun.Outcome] {
        var outcomes: [FormalRun.Outcome] = []
        func show(_ hour: Double) {
            let done = Double(outcomes.count) * hours + hour
            ProgressText.show(
                "\(trial.name): \(outcomes.count) of \(seeds) seeds, "
                    + "\(Rate.text(done, since: start)) simulated hours/s")
        }
        if jobs == 1 {
            for seed in first..<first + seeds {
                outcomes.append(FormalRun(options(trial, seed: seed)) { show(Double($0)) }.outcome)
            }
            return outcomes
        }
        let pool = WorkerPool(jobs: jobs) { worker in
            words(trial) + [
                "--first", "\(first)", "--seeds", "\(seeds)", "--commit", version.commit, "--jobs", "\(jobs)",
                "--worker", "\(worker)",
            ]
        }
        try pool.run { line in
            guard let outcome = try? JSONDecoder().decode(FormalRun.Outcome.self, from: Data(line.utf8))
            else { return print(line) }
            outcomes.append(outcome)
            show(0)
        }
        guard outcomes.count == Int(seeds) else {
            throw Failure(.software, "only \(outcomes.count) of \(seeds) seeds finished")
        }
        return outcomes.sorted { $0.seed < $1.seed }
    }

    /// Runs every `jobs`-th seed, and prints a line for each.
    private func runShare(_ worker: UInt64, of trial: FormalTrial) throws {
        for seed in stride(from: first + worker, to: first + seeds, by: Int(jobs)) {
            print("> \(version.world(seed: seed, words(trial)).name)")
            fflush(nil)
            let data = try JSONEncoder().encode(FormalRun(options(trial, seed: seed)).outcome)
            print(String(decoding: data, as: UTF8.self))
            fflush(nil)
        }
    }

    // MARK: One seed

    private func runOne(_ seed: UInt64, of trial: FormalTrial) throws {
        let run = FormalRun(options(trial, seed: seed))
        printPairs(of: run)
        var goals = trial.goals(changingCount: changing)
        // A single seed of the control may have any continuity.
        goals?.meanContinuity = nil
        let shortfalls = goals?.shortfalls(of: [run.outcome]) ?? []
        for shortfall in shortfalls {
            print(replay(shortfall, of: trial).failure("\(trial.name): \(shortfall.text)"))
        }
        if !shortfalls.isEmpty { throw ExitCode(EX_SOFTWARE) }
    }

    private func printPairs(of run: FormalRun) {
        let result = run.result
        print("observer  heard   windows  missed")
        for pair in result.pairs {
            let missed = result.maximumWindowCountPerPair - pair.windowCount
            print(
                "\(result.devices[pair.observer].name)    \(result.devices[pair.observed].name)"
                    + String(format: "%9d%8d", pair.windowCount, missed)
                    + (pair.isDetected ? "" : "  not met") + "  " + result.devices[pair.observed].model)
        }
        let figures = run.outcome.figures
        print(
            String(
                format: "detection %.2f %%, continuity %.4f %%, longevity %.4f %%; trace %llx",
                figures.detectionPercent, figures.continuityPercent, figures.longevityPercent,
                run.trace.hash))
    }
}

extension FormalRun.Devices: ExpressibleByArgument {}
extension FormalRun.Schemes: ExpressibleByArgument {}
