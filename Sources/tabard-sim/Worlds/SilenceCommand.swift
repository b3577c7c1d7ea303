import ArgumentParser
import CommandLineText
import Foundation
import Simulator

/// Tries radios that are deaf for hours.
struct SilenceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "silence",
        abstract:
            "Makes a radio deaf for so long that nobody is expected any more, and prints how soon it is back.",
        discussion: """
            Back: seconds from the end of the cause to the first good report. A deaf radio that only a reset mends, in a \
            room where nobody was, cannot be told from one that is well: docs/radio-supervisor.md.
            """)

    @Option(help: "The seed.") var seed: UInt64 = 1
    @OptionGroup var version: VersionOption

    private static let table = ColumnLayout(widths: [18, 9, 13, 10])

    func run() throws {
        print(Self.table.row("deaf", "for", "mended by", "back", "limit"))
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
                    "deaf \(beginning.rawValue) for \(minutes), mended by \(cure): \(complaint)"))
        }
        if complaints > 0 {
            throw Failure(.software, "\(complaints) silences did not end as they must")
        }
    }
}
