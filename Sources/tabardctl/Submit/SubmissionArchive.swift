import Archive
import ArgumentParser
import CommandLineText
import EncounterLog
import Exposure
import FixedMemory
import Schemes

/// The board from whose log a submission is made.
struct SubmissionArchive: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Board of the wearer: its name or the first digits of its log identity; default: the only board.",
            valueName: "board"))
    var board: String?

    @Flag(help: "Write the file even if its keys do not explain all that the board showed.")
    var force = false

    @OptionGroup var archive: EvidenceOptions

    /// The archive and one board in it, because a submission is one person's. A note on standard error
    /// reports the board's locked pages.
    func open() throws(Failure) -> (archive: Archive, board: BoardSummary) {
        let archive = try archive.open(.reading)
        let boards = try BoardChoice.boards(named: board, of: archive)
        guard boards.count == 1 else {
            let names = boards.map(\.label).joined(separator: ", ")
            throw Failure(.usage, "the archive has several boards; give the wearer's with --board: \(names)")
        }
        try LockedPagesText.printNote(archive, boards)
        return (archive, boards[0])
    }

    /// Fails if the board has shown identities that the keys do not explain, because a submission without
    /// them would leave the wearer's contacts without a warning.
    ///
    /// - Parameter option: the option that names the file of a key that the board was given.
    func requireExplained(
        by option: String, _ shown: (BoardHistory) -> ShownIdentities
    ) throws(Failure) {
        let (archive, board) = try open()
        let history = try archiving { () throws(ArchiveError) in try archive.history(of: board.identity) }
        guard let day = shown(history).unexplained else { return }
        let text =
            "of \(CalendarDate(daysSince1970: day.daysSince1970).text) these keys explain \(day.explainedCount) of "
            + "\(day.shownCount) identities that \(board.label) showed"
        guard !force else { return Console.report("warning: \(text)") }
        throw Failure(
            .data, "\(text); give the file of the secret that it had then with \(option), or --force")
    }

    /// The keys that the wearer's board made itself for a scheme, in the order of its log; at least one.
    ///
    /// - Parameter option: the option that names the file of a key that the board was given.
    func ownKeys(of scheme: SchemeID, orFileBy option: String) throws(Failure) -> [OwnKey] {
        let (archive, board) = try open()
        let keys = try archiving { () throws(ArchiveError) in
            try archive.ownKeys(of: board.identity, scheme)
        }
        guard keys.isEmpty else { return keys }
        let closed = board.lockedPageCount > 0 ? ", or decrypt its log with `tabardctl open`" : ""
        throw Failure(
            .noInput,
            "\(board.label): the readable log has no key that the board made itself for \(scheme.name); "
                + "give the key file with \(option)\(closed)")
    }
}
