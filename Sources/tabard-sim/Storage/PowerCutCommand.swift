import ArgumentParser
import CommandLineText
import FlashSimulator
import Foundation
import Simulator

/// Cuts power in every operation of a log.
struct PowerCutCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "powercut",
        abstract:
            "Cut power at every log operation and during recovery.",
        usage: "tabard-sim powercut [<options>]",
        discussion: """
            Examples:
              tabard-sim powercut --quick
              tabard-sim powercut --medium nor --pages sealed --mode torn --seed 2 \\
                  --cut 117

            The command writes a log of 16 segments of 8 blocks of 1,024 bytes, twice around its \
            ring, unencrypted and encrypted. The media are a file (overwritten per block), nand \
            (programmed per block) and nor (programmed in units of 16 bytes).

            It cuts each program, erasure and sync once. A whole cut writes all or nothing, a torn \
            cut writes a part, and a reordered cut writes any of the 64-byte units since the last \
            sync. After each cut it mounts, reads and writes the log, then mounts and reads it \
            again. It also cuts each operation of that recovery. docs/powercut.md defines the \
            criteria.
            """)

    @Flag(help: "Run one seed; cut all erasures and segment headers, and one in 41 other operations.")
    var quick = false
    @Option(help: "Number of seeds, at least 1.") var seeds: UInt64 = 3
    @Option(
        help: ArgumentHelp(
            "With encrypted logs: also cut the recovery after one in n cuts, at least 1.", valueName: "n"))
    var sealedAgain = 5
    @Option(help: "Number of processes, 1 to 64.") var jobs: UInt64 = 2
    @Option(help: "Run only this medium: file, nand or nor.") var medium: PowerCutScenario.Medium?
    @Option(help: "Run only these pages: clear or sealed (encrypted).") var pages: PowerCutScenario.Pages?
    @Option(help: "Run only this kind of cut: whole, torn or reordered.") var mode: PowerCutScenario.Mode?
    @Option(help: "Run only this seed.") var seed: UInt64?
    @Option(help: ArgumentHelp("Cut only this operation.", valueName: "number")) var cut: Int?
    @Option(help: ArgumentHelp("In the recovery of --cut, cut only this operation.", valueName: "number"))
    var again: Int?
    @OptionGroup var version: VersionOption
    @Option(help: .hidden) var worker: UInt64?

    func validate() throws {
        guard jobs > 0, jobs <= 64 else { throw ValidationError("--jobs must be from 1 to 64") }
        guard sealedAgain > 0 else { throw ValidationError("--sealed-again must be at least 1") }
        guard seeds > 0 else { throw ValidationError("--seeds must be at least 1") }
        guard again == nil || cut != nil else { throw ValidationError("--again needs --cut") }
    }

    func run() throws {
        if let worker { return try runShare(Int(worker)) }
        try runAll()
    }

    private var scenarios: [PowerCutScenario] {
        PowerCutScenario.all(seeds: seed.map { $0...$0 } ?? 1...(quick ? 1 : seeds)).filter {
            (medium ?? $0.medium) == $0.medium && (pages ?? $0.pages) == $0.pages
                && (mode ?? $0.mode) == $0.mode
        }
    }

    // MARK: One worker

    private static let cutsPerLine = 50

    /// Runs this worker's share of each scenario: one in `jobs` cuts. Its lines begin with `>` for a
    /// scenario, `+` for a number of cuts, `!` for a failure, or `=` for a scenario's counts.
    private func runShare(_ worker: Int) throws {
        for (index, scenario) in scenarios.enumerated() {
            Self.say(
                "> \(replay(scenario, (quick ? ["--quick"] : []) + ["--sealed-again", "\(sealedAgain)"]).name)"
            )
            let trial = try PowerCutTrial(scenario, selection(scenario), share: (worker, Int(jobs)))
            var cuts = 0
            trial.onCut = {
                cuts += 1
                if cuts % Self.cutsPerLine == 0 { Self.say("+ \(Self.cutsPerLine)") }
            }
            trial.onFailure = { failure in
                let again = failure.again.map { ["--again", "\($0)"] } ?? []
                let line = replay(scenario, ["--cut", "\(failure.operation)"] + again).failure(
                    "\(scenario.name): \(failure.text)")
                Self.say("! \(line)")
                guard cut != nil else { return }
                for line in failure.reading { Self.say("  \(line)") }
            }
            try trial.run()
            let counts = try JSONEncoder().encode(trial.counts)
            Self.say("= \(index) \(String(decoding: counts, as: UTF8.self))")
        }
    }

    private func replay(_ scenario: PowerCutScenario, _ which: [String]) -> WorldReplay {
        version.world(
            seed: scenario.seed,
            [
                "powercut", "--medium", "\(scenario.medium)", "--pages", "\(scenario.pages)",
                "--mode", "\(scenario.mode)",
            ] + which)
    }

    private func selection(_ scenario: PowerCutScenario) -> PowerCutTrial.Selection {
        var selection = PowerCutTrial.Selection()
        if quick { (selection.stride, selection.first) = (41, 7) }
        if scenario.pages == .sealed { selection.againStride = sealedAgain }
        selection.only = cut
        selection.onlyAgain = again
        return selection
    }

    private static func say(_ line: String) {
        print(line)
        fflush(nil)
    }

    // MARK: All workers

    private static let failuresShown = 20

    private func runAll() throws {
        let scenarios = scenarios
        var counts = [PowerCutCounts?](repeating: nil, count: scenarios.count)
        var cuts = 0
        var failures = 0
        let start = ContinuousClock.now
        let pool = WorkerPool(jobs: jobs) { worker in arguments + ["--worker", "\(worker)"] }
        try pool.run { line in
            if line.hasPrefix("! ") {
                failures += 1
                guard failures <= Self.failuresShown else { return }
                ProgressText.clear()
                print(line.dropFirst(2))
            } else if line.hasPrefix("+ ") {
                cuts += Int(line.dropFirst(2)) ?? 0
                ProgressText.show(
                    "\(cuts) cuts, \(failures) failed, \(Rate.text(Double(cuts), since: start)) a second")
            } else {
                let parts = line.split(separator: " ", maxSplits: 2)
                guard parts.count == 3, parts[0] == "=", let index = Int(parts[1]),
                    scenarios.indices.contains(index),
                    let share = try? JSONDecoder().decode(PowerCutCounts.self, from: Data(parts[2].utf8))
                else { return print(line) }
                if counts[index] == nil { counts[index] = share } else { counts[index]?.addCuts(of: share) }
            }
        }
        ProgressText.clear()
        let table = PowerCutTable(Array(zip(scenarios, counts.map { $0 ?? PowerCutCounts() })))
        for line in table.lines { print(line) }
        if failures > Self.failuresShown {
            print("\(failures - Self.failuresShown) more failures are not shown")
        }
        guard !table.total.hasFailed, failures == 0 else {
            throw Failure(.software, "some logs did not survive power cuts")
        }
    }

    /// The arguments of a worker.
    private var arguments: [String] {
        func option(_ name: String, _ value: (some Any)?) -> [String] {
            value.map { ["--\(name)", "\($0)"] } ?? []
        }
        return ["powercut", "--seeds", "\(seeds)", "--jobs", "\(jobs)", "--sealed-again", "\(sealedAgain)"]
            + (quick ? ["--quick"] : [])
            + option("medium", medium) + option("pages", pages) + option("mode", mode) + option("seed", seed)
            + option("cut", cut) + option("again", again) + option("commit", version.commit)
    }
}

extension PowerCutScenario.Medium: ExpressibleByArgument {}
extension PowerCutScenario.Pages: ExpressibleByArgument {}
extension PowerCutScenario.Mode: ExpressibleByArgument {}
