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
            "Where to write it, for its owner alone; - is standard output.", valueName: "file"))
    var output = "-"

    @Flag(help: "Do not ask.")
    var yes = false

    /// Shows what would leave, asks, and writes it. Without a yes nothing is written.
    func hand(over submission: Submission) throws(Failure) {
        let agreed = try submission.bytes { submission throws(Failure) in
            Console.note(submission.text)
            let place = output == "-" ? "standard output" : output
            Console.note("  goes to      \(place); nothing is sent")
            try Consent.require("Hand this over?", yes: yes, otherwise: "nothing was written")
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
            throw Failure(.usage, "\(otherwise): say --yes, for nobody can be asked here")
        }
        Console.note("\(question) Type yes:")
        guard readLine() == "yes" else { throw Failure(.tryAgain, otherwise) }
    }
}
