import ArgumentParser
import FlashSimulator
import Foundation
import Simulator

/// Cuts power in every operation of a log.
struct PowerCutCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "powercut",
        abstract:
            "Cuts power in every operation of a log that goes round its ring twice, and again while it recovers.",
        discussion: """
            A log of 16 segments of 8 blocks of 1,024 bytes is written, in clear and sealed, on a medium that is overwritten \
            by the block (file), on flash that is programmed by the block (nand), and in units of 16 bytes (nor). Each program, erasure and sync is cut once: whole \
            (nothing or all of it lands), torn (part of it), reordered (each 64 bytes since the last sync land or not). \
            Behind each cut the log is mounted, read, written to, mounted and read again; and in that recovery power goes \
            once more, at each operation. docs/powercut.md says how it is judged.
            """)

    @Flag(help: "Of one seed all erasures and pages with an opening, and every 41st of the other operations.")
    var quick = false
    @Option(help: "How many seeds.") var seeds: UInt64 = 3
    @Option(help: "Of sealed logs, the recoveries from every so many cuts are cut, too: keys take long.")
    var sealedAgain = 5
    @Option(help: "How many processes share the work.") var jobs: UInt64 = 2
    @Option(help: "Only this medium: file, nand or nor.") var medium: PowerCutScenario.Medium?
    @Option(help: "Only these pages: clear or sealed.") var pages: PowerCutScenario.Pages?
    @Option(help: "Only this way of cutting: whole, torn or reordered.") var mode: PowerCutScenario.Mode?
    @Option(help: "Only this seed.") var seed: UInt64?
    @Option(help: "Only this operation.") var cut: Int?
    @Option(help: "In its recovery, only this operation.") var again: Int?
    @OptionGroup var version: VersionOption
    @Option(help: .hidden) var worker: UInt64?

    func validate() throws {
        guard jobs > 0, jobs <= 64 else { throw ValidationError("--jobs: 1 to 64") }
        guard sealedAgain > 0 else { throw ValidationError("--sealed-again: at least 1") }
        guard seeds > 0 else { throw ValidationError("--seeds: at least 1") }
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

    // MARK: A worker

    private static let cutsPerLine = 50

    /// Every `jobs`-th cut of each scenario. Lines: `+` how many cuts were made, `!` a failure, `=` a scenario's counts.
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

    // MARK: All of them

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
            throw Failure("logs did not outlive power cuts", exitCode: EX_SOFTWARE)
        }
    }

    /// For a worker.
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
