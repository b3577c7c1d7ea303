import ArgumentParser
import CommandLineText
import Exposure
import Foundation
import Reports

/// The file of a submission: nothing goes to an authority unless the wearer has seen it and agreed.
struct SubmissionOutput: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "Output file, readable by its owner only; - is standard output.", valueName: "file"),
        completion: .file())
    var output = "-"

    @OptionGroup var consent: ConsentOptions

    /// Shows the submission, asks for consent, and writes the file. Without consent it writes nothing.
    func writeIfAgreed(_ submission: Submission) throws(Failure) {
        let agreed = try submission.bytes { submission throws(Failure) in
            Console.report(submission.text)
            let place = output == "-" ? "standard output" : output
            Console.report("  written to   \(place); nothing is sent")
            return try consent.isGiven("Write this submission?", otherwise: "nothing was written")
        }
        if let agreed { try Documents.replace(output, agreed, isPrivate: true) }
    }
}
