import ArgumentParser
import Foundation

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
    func hand(over bytes: [UInt8], _ submission: SubmissionText) throws(Failure) {
        Console.note(submission.text)
        let place = output == "-" ? "standard output" : output
        Console.note("  goes to      \(place); nothing is sent")
        try Consent.require("Hand this over?", yes: yes, otherwise: "nothing was written")
        try Documents.replace(output, bytes, isPrivate: true)
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

/// What would leave, as people are shown it.
struct SubmissionText {
    /// Who would learn it.
    let recipient: String
    /// What its app would send, and where to; nil where that is not known.
    var request: String?
    /// What is in it.
    var contents: [String]
    /// What it tells about the wearer, and about those he met.
    let aboutWearer: String
    let aboutOthers: String

    /// Of a scheme that gives away who one was.
    static let wearerFellIll =
        "that you fell ill; whoever noted your identifiers of those days can tell them as yours"

    var text: String {
        let rows =
            contents.enumerated().map { ($0.offset == 0 ? "contains" : "", $0.element) }
            + [("about you", aboutWearer), ("about others", aboutOthers)]
            + (request.map { [("as", $0)] } ?? [])
        let lines = rows.map { "  " + $0.0.padding(toLength: 13, withPad: " ", startingAt: 0) + $0.1 }
        return (["For \(recipient):"] + lines).joined(separator: "\n")
    }
}
