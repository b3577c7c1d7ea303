import ArgumentParser
import CommandLineText
import Foundation

/// The options of commands that show what they will do, and then ask.
struct ConsentOptions: ParsableArguments {
    @Flag(help: "Do not ask for confirmation.")
    var yes = false

    @Flag(help: "Show what would be done, and do nothing.")
    var dryRun = false

    /// - Parameters:
    ///   - question: asked after everything that will be done was shown.
    ///   - otherwise: the result without consent.
    /// - Returns: false for a dry run, which ends well here.
    func isGiven(_ question: String, otherwise: String) throws(Failure) -> Bool {
        guard !dryRun else {
            Console.report("\(otherwise), because of --dry-run")
            return false
        }
        guard !yes else { return true }
        guard isatty(STDIN_FILENO) == 1 else {
            throw Failure(
                .usage, "\(otherwise): the command cannot ask here; confirm with --yes")
        }
        Console.report("\(question) Type yes:")
        guard readLine() == "yes" else { throw Failure(.tryAgain, otherwise) }
        return true
    }
}
