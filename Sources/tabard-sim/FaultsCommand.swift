import ArgumentParser
import Foundation
import Simulator

/// One run for each fault of the radio.
struct FaultsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "faults",
        abstract:
            "Lets each fault of the radio happen to a board among phones, and prints what the agent did about it.",
        discussion: """
            Detected: seconds from the fault's beginning until the agent did something. Back: seconds from the end of \
            its cause to the next good report. Blind: seconds in which the radio could not see. Log: seconds that the \
            log does not cover. Hidden: blind, and covered in the log. Invented: not blind, and not covered in the log. \
            Allowed: how long each of the two may be.
            """)

    @Option(help: "The seed of each run.") var seed: UInt64 = 1
    @Option(help: "Only this fault.") var fault: String?
    @Flag(help: "Print the agent's log, with virtual time.") var trace = false

    func run() throws {
        let faults = ControllerFault.allCases.filter { fault == nil || "\($0)" == fault }
        guard !faults.isEmpty else {
            let names = ControllerFault.allCases.map { "\($0)" }.joined(separator: ", ")
            throw ValidationError("--fault: one of \(names)")
        }
        print(
            Self.row("fault", "detected", "back", "blind", "log", "hidden", "invented", "allowed", "rungs"))
        var complaints = 0
        for fault in faults {
            let trial = FaultTrial(fault, seed: seed, onLine: trace ? { print("  \($0)") } : nil)
            if trace { Self.printPlaces(of: trial) }
            print(Self.row(trial.outcome) + (trial.outcome.complaint.map { "  <- \($0)" } ?? ""))
            if trial.outcome.complaint != nil { complaints += 1 }
        }
        if complaints > 0 {
            throw Failure("\(complaints) faults are not dealt with as they must be", exitCode: EX_SOFTWARE)
        }
    }

    private static func row(_ outcome: FaultOutcome) -> String {
        let blindness = outcome.blindness
        return row(
            "\(outcome.fault)", seconds(outcome.detectedAfterSeconds), seconds(outcome.backAfterSeconds),
            seconds(blindness.trueSeconds), seconds(blindness.loggedSeconds),
            seconds(blindness.hiddenSeconds), seconds(blindness.inventedSeconds),
            seconds(outcome.allowedSeconds), outcome.rungs)
    }

    private static func printPlaces(of trial: FaultTrial) {
        func text(_ places: [Range<Int64>]) -> String {
            places.map { "\($0.lowerBound)–\($0.upperBound)" }.joined(separator: ", ")
        }
        print(
            "  ms from the fault's beginning: blind \(text(trial.blind)); in the log \(text(trial.uncovered))"
        )
    }

    private static func seconds(_ value: Double?) -> String {
        value.map { String(format: "%.1f", $0) } ?? "-"
    }

    private static func row(_ columns: String...) -> String {
        let widths = [26, 10, 7, 8, 8, 8, 10, 9]
        return columns.enumerated().map { index, text in
            index < widths.count ? text.padding(toLength: widths[index], withPad: " ", startingAt: 0) : text
        }.joined()
    }
}
