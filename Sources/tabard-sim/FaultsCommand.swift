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
            its cause to the next good report. Blind: seconds in which nothing good came. Log: seconds that the log \
            does not cover.
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
        print(Self.row("fault", "detected", "back", "blind", "log", "rungs"))
        var complaints = 0
        for fault in faults {
            let trial = FaultTrial(fault, seed: seed, onLine: trace ? { print("  \($0)") } : nil)
            let row = Self.row(
                "\(fault)", Self.seconds(trial.detectedAfterSeconds), Self.seconds(trial.backAfterSeconds),
                Self.seconds(trial.blindSeconds), Self.seconds(trial.uncoveredSeconds), trial.rungs)
            print(row + (trial.complaint.map { "  <- \($0)" } ?? ""))
            if trial.complaint != nil { complaints += 1 }
        }
        if complaints > 0 {
            throw Failure("\(complaints) faults are not dealt with as they must be", exitCode: EX_SOFTWARE)
        }
    }

    private static func seconds(_ value: Double?) -> String {
        value.map { String(format: "%.1f", $0) } ?? "-"
    }

    private static func row(_ columns: String...) -> String {
        let widths = [26, 10, 8, 8, 8]
        return columns.enumerated().map { index, text in
            index < widths.count ? text.padding(toLength: widths[index], withPad: " ", startingAt: 0) : text
        }.joined()
    }
}
