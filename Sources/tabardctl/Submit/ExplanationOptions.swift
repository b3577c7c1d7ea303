import Archive
import ArgumentParser
import CommandLineText
import Exposure
import FixedMemory

/// Whether keys must explain what the wearer's board has shown.
struct ExplanationOptions: ParsableArguments {
    @Flag(help: "Go on even if the keys do not explain all that the board showed.")
    var force = false

    /// Fails if the board has shown identities that the keys do not explain, because a submission without
    /// them would leave the wearer's contacts without a warning.
    ///
    /// - Parameter option: the option that names the file of a key that the board was given.
    func require(
        of log: WearerLog, by option: String, _ shown: (BoardHistory) -> ShownIdentities
    ) throws(Failure) {
        let history = try archiving { () throws(ArchiveError) in
            try log.archive.history(of: log.board.identity, withTracks: false)
        }
        guard let day = shown(history).unexplained else { return }
        let text =
            "of \(CalendarDate(daysSince1970: day.daysSince1970).text) these keys explain \(day.explainedCount) of "
            + "\(day.shownCount) identities that \(log.board.label) showed"
        guard !force else { return Console.report("warning: \(text)") }
        throw Failure(
            .data, "\(text); give the file of the secret that it had then with \(option), or --force")
    }
}
