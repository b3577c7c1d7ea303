import ArgumentParser
import CommandLineText
import Exposure
import Foundation
import Reports

/// Nothing goes to an authority but what somebody has seen and said yes to.
struct ConsentOptions: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "Output file, readable by its owner only; - is standard output.", valueName: "file"))
    var output = "-"

    @Flag(help: "Do not ask for confirmation.")
    var yes = false

    /// Shows what would leave, asks, and writes it. Without a yes nothing is written.
    func hand(over submission: Submission) throws(Failure) {
        let agreed = try submission.bytes { submission throws(Failure) in
            Console.note(submission.text)
            let place = output == "-" ? "standard output" : output
            Console.note("  written to   \(place); nothing is sent")
            try Consent.require("Write this submission?", yes: yes, otherwise: "nothing was written")
            return true
        }
        if let agreed { try Documents.replace(output, agreed, isPrivate: true) }
    }
}

enum Consent {
    /// - Parameter otherwise: what is true where nobody says yes.
    static func require(_ question: String, yes: Bool, otherwise: String) throws(Failure) {
        guard !yes else { return }
        guard isatty(STDIN_FILENO) == 1 else {
            throw Failure(.usage, "\(otherwise): the command cannot ask here; confirm with --yes")
        }
        Console.note("\(question) Type yes:")
        guard readLine() == "yes" else { throw Failure(.tryAgain, otherwise) }
    }
}
