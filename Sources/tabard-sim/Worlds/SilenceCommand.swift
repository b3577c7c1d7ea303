import ArgumentParser
import CommandLineText
import Foundation
import Simulator

/// Tries radios that are deaf for hours.
struct SilenceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "silence",
        abstract:
            "Measure recovery from long deafness of the radio.",
        discussion: """
            Examples:
              tabard-sim silence --seed 3

            The radio stays deaf until the agent expects no more devices. The column "back" has the \
            seconds from the end of the cause to the first good report. In an empty room the agent \
            cannot detect a deaf radio that only a reset recovers (docs/radio-supervisor.md).
            """)

    @Option(help: "Seed of the world.") var seed: UInt64 = 1
    @OptionGroup var version: VersionOption

    private static let table = ColumnLayout(widths: [18, 9, 13, 10])

    func run() throws {
        print(Self.table.row("deaf", "for", "cured by", "back", "limit"))
        var complaints = 0
        for (beginning, length, cure) in SilenceTrial.all {
            let trial = SilenceTrial(beginning, lasting: length, cure: cure, seed: seed)
            let minutes = "\(Int(length.seconds / 60)) min"
            print(
                Self.table.row(
                    beginning.rawValue, minutes, "\(cure)",
                    trial.backAfterSeconds.map { String(format: "%.1f", $0) } ?? "never",
                    trial.limitSeconds.map { String(format: "%.0f", $0) } ?? "-"))
            guard let complaint = trial.complaint else { continue }
            complaints += 1
            print(
                version.world(seed: seed, ["silence"]).failure(
                    "deaf \(beginning.rawValue) for \(minutes), cured by \(cure): \(complaint)"))
        }
        if complaints > 0 {
            throw Failure(.software, "\(complaints) silences did not end as required")
        }
    }
}
