import Archive
import ArgumentParser

/// Out of which board's log something is handed over.
struct SubmissionArchive: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The wearer's board: its name, or the first digits of its log. Needed where the archive has several.",
            valueName: "board"))
    var board: String?

    @OptionGroup var archive: ArchiveOptions

    /// The archive and one board in it: what is handed over is one person's. What nobody has opened yet of it is said on
    /// standard error.
    func open() throws(Failure) -> (archive: Archive, board: BoardSummary) {
        let archive = try archive.open(.existing)
        let boards = try BoardChoice.boards(named: board, of: archive)
        guard boards.count == 1 else {
            let names = boards.map(\.label).joined(separator: ", ")
            throw Failure(.usage, "the archive has several boards; name the wearer's with --board: \(names)")
        }
        try SealedText.note(archive, boards)
        return (archive, boards[0])
    }
}
