import ArgumentParser
import CommandLineText
import Foundation
import Simulator

/// Runs one trial for each radio fault.
struct FaultsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "faults",
        abstract:
            "Lets each fault of the radio happen to a board among phones, and prints what the agent did about it.",
        discussion: """
            Detected: seconds from the fault's beginning until the agent did something. Back: seconds from the end of \
            its cause to the next good report. Blind: seconds in which the radio could not see. Log: seconds that the \
            log does not cover. Hidden: blind, and covered in the log. Invented: not blind, and not covered in the log; \
            both at a time. Allowed: how long each of the two may be. No harm: trials in which the board was obeyed, \
            understood its controller and saw, so that there was nothing to detect, and nothing was done. Of several seeds each \
            column shows the worst.
            """)

    @Option(help: "The seed of each run, or the first one.") var seed: UInt64 = 1
    @Option(
        help: "How many seeds to run; of several, the worst is printed, and each that is not as it must be.")
    var seeds = 1
    @Option(help: "Only this fault.") var fault: String?
    @OptionGroup var version: VersionOption
    @Flag(help: "Print the agent's log, with virtual time.") var trace = false

    private static let table = ColumnLayout(widths: [26, 10, 7, 8, 8, 8, 10, 9, 11])

    func validate() throws {
        guard seeds > 0, seeds <= 1_000_000, seed <= 1 << 62 else {
            throw ValidationError("--seeds: 1 to 1000000, and --seed: at most 2 to the 62nd")
        }
    }

    func run() throws {
        let faults = ControllerFault.allCases.filter { fault == nil || "\($0)" == fault }
        guard !faults.isEmpty else {
            let names = ControllerFault.allCases.map { "\($0)" }.joined(separator: ", ")
            throw ValidationError("--fault: one of \(names)")
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
            throw Failure(
                .software, "\(complaints) trials are not as they must be; --trace prints what the agent did")
        }
    }

    /// The worst value of each column.
    private static func row(_ outcomes: [FaultOutcome]) -> String {
        guard let first = outcomes.first else { return "" }
        func most(_ number: (FaultOutcome) -> Double?) -> String {
            outcomes.compactMap(number).max().map { String(format: "%.1f", $0) } ?? "-"
        }
        let isBack = outcomes.allSatisfy { $0.backAfterSeconds != nil }
        return table.row(
            "\(first.fault)", most(\.detectedAfterSeconds), isBack ? most(\.backAfterSeconds) : "never",
            most(\.blindness.trueSeconds), most(\.blindness.loggedSeconds), most(\.blindness.hiddenSeconds),
            most(\.blindness.inventedSeconds), most(\.allowedSeconds),
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
