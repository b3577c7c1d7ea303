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

            The radio is deaf for long. With "silence" the controller's answers show it, with "muteScan" \
            nothing does. The column "back" has the seconds from the end of the cause to the first good \
            report. An agent cannot find a mute scan in an empty room if only a reset recovers it \
            (docs/radio-supervisor.md).
            """)

    @Option(help: "Seed of the world.") var seed: UInt64 = 1
    @OptionGroup var version: VersionOption

    private static let table = ColumnLayout(widths: [10, 18, 9, 13, 10])

    func run() throws {
        print(Self.table.row("fault", "deaf", "for", "cured by", "back", "limit"))
        var complaints = 0
        for (fault, beginning, length, cure) in SilenceTrial.all {
            let trial = SilenceTrial(fault, beginning, lasting: length, cure: cure, seed: seed)
            let minutes = "\(Int(length.seconds / 60)) min"
            print(
                Self.table.row(
                    "\(fault)", beginning.rawValue, minutes, "\(cure)",
                    trial.backAfterSeconds.map { String(format: "%.1f", $0) } ?? "never",
                    trial.limitSeconds.map { String(format: "%.0f", $0) } ?? "-"))
            guard let complaint = trial.complaint else { continue }
            complaints += 1
            print(
                version.world(seed: seed, ["silence"]).failure(
                    "\(fault) \(beginning.rawValue) for \(minutes), cured by \(cure): \(complaint)"))
        }
        if complaints > 0 {
            throw Failure(.software, "\(complaints) silences did not end as required")
        }
    }
}
