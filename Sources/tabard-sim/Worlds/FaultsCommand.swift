import ArgumentParser
import CommandLineText
import Foundation
import Simulator

/// Runs one trial for each radio fault.
struct FaultsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "faults",
        abstract:
            "Inject each radio fault and print the agent's recovery.",
        usage: "tabard-sim faults [<options>]",
        discussion: """
            Examples:
              tabard-sim faults
              tabard-sim faults --fault silence --seed 7 --trace

            Columns, in seconds; with several seeds the worst of each:
              detected  from the start of the fault to the agent's first action
              back      from the end of the fault to the next good report
              blind     time in which the radio could not receive
              log       time that the log reports as not covered
              hidden    blind time that the log reports as covered
              invented  time with reception that the log reports as not covered
              allowed   limit for hidden and for invented, or both limits
              no harm   trials in which the fault had no effect and the agent did nothing
            """)

    @Option(help: "Seed, or the first seed of several, up to 2^62.") var seed: UInt64 = 1
    @Option(
        help: "Number of seeds, 1 to 1000000; several print the worst case.")
    var seeds = 1
    @Option(help: "Run only this fault, such as silence.") var fault: String?
    @OptionGroup var version: VersionOption
    @Flag(help: "Print the agent's log with virtual times.") var trace = false

    private static let table = ColumnLayout(widths: [26, 10, 7, 8, 8, 8, 10, 9, 11])

    func validate() throws {
        guard seeds > 0, seeds <= 1_000_000, seed <= 1 << 62 else {
            throw ValidationError("--seeds must be from 1 to 1000000, and --seed at most 2^62")
        }
    }

    func run() throws {
        let faults = ControllerFault.allCases.filter { fault == nil || "\($0)" == fault }
        guard !faults.isEmpty else {
            let names = ControllerFault.allCases.map { "\($0)" }.joined(separator: ", ")
            throw ValidationError("--fault must be one of \(names)")
        }
        print(
            Self.table.row(
                "fault", "detected", "back", "blind", "log", "hidden", "invented", "allowed", "no harm",
                "rungs"))
        var complaints = 0
        for fault in faults {
            var outcomes: [FaultOutcome] = []
            for seed in seed..<seed + UInt64(seeds) {
                ProgressText.show("\(fault), seed \(seed)")
                let trial = FaultTrial(fault, seed: seed, onLine: trace ? { print("  \($0)") } : nil)
                ProgressText.clear()
                if trace { Self.printPlaces(of: trial) }
                if let complaint = trial.outcome.complaint {
                    complaints += 1
                    print(Self.row([trial.outcome]))
                    let replay = version.world(seed: seed, ["faults", "--fault", "\(fault)"])
                    print(replay.failure("\(fault): \(complaint)"))
                }
                outcomes.append(trial.outcome)
            }
            if seeds > 1 || outcomes.allSatisfy({ $0.complaint == nil }) { print(Self.row(outcomes)) }
        }
        if complaints > 0 {
            throw Failure(.software, "\(complaints) trials failed; --trace prints the agent's log")
        }
    }

    /// The worst value of each column.
    private static func row(_ outcomes: [FaultOutcome]) -> String {
        guard let first = outcomes.first else { return "" }
        func most(_ number: (FaultOutcome) -> Double?) -> String {
            outcomes.compactMap(number).max().map { String(format: "%.1f", $0) } ?? "-"
        }
        func limits(of outcome: FaultOutcome) -> String {
            let (hidden, invented) = (outcome.allowedHiddenSeconds, outcome.allowedInventedSeconds)
            return hidden == invented
                ? String(format: "%.1f", hidden) : String(format: "%.1f, %.1f", hidden, invented)
        }
        let isBack = outcomes.allSatisfy { $0.backAfterSeconds != nil }
        return table.row(
            "\(first.fault)", most(\.detectedAfterSeconds), isBack ? most(\.backAfterSeconds) : "never",
            most(\.blindness.trueSeconds), most(\.blindness.loggedSeconds), most(\.blindness.hiddenSeconds),
            most(\.blindness.inventedSeconds), limits(of: first),
            "\(outcomes.count { $0.isHarmless }) of \(outcomes.count)",
            outcomes.map(\.rungs).max { $0.count < $1.count } ?? "")
    }

    private static func printPlaces(of trial: FaultTrial) {
        func text(_ places: [Range<Int64>]) -> String {
            places.map { "\($0.lowerBound)–\($0.upperBound)" }.joined(separator: ", ")
        }
        print(
            "  ms from the fault's beginning: blind \(text(trial.blind)); in the log \(text(trial.uncovered))"
        )
    }
}
