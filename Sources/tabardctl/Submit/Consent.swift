import ArgumentParser
import CommandLineText
import Exposure
import Foundation
import Reports

/// Consent options: nothing goes to an authority unless the wearer has seen it and agreed.
struct ConsentOptions: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "Output file, readable by its owner only; - is standard output.", valueName: "file"))
    var output = "-"

    @Flag(help: "Do not ask for confirmation.")
    var yes = false

    /// Shows the submission, asks for consent, and writes the file. Without consent it writes nothing.
    func writeIfAgreed(_ submission: Submission) throws(Failure) {
        let agreed = try submission.bytes { submission throws(Failure) in
            Console.report(submission.text)
            let place = output == "-" ? "standard output" : output
            Console.report("  written to   \(place); nothing is sent")
            try Consent.require("Write this submission?", yes: yes, otherwise: "nothing was written")
            return true
        }
        if let agreed { try Documents.replace(output, agreed, isPrivate: true) }
    }
}

enum Consent {
    /// - Parameter otherwise: the result without consent.
    static func require(_ question: String, yes: Bool, otherwise: String) throws(Failure) {
        guard !yes else { return }
        guard isatty(STDIN_FILENO) == 1 else {
            throw Failure(.usage, "\(otherwise): the command cannot ask here; confirm with --yes")
        }
        Console.report("\(question) Type yes:")
        guard readLine() == "yes" else { throw Failure(.tryAgain, otherwise) }
    }
}
