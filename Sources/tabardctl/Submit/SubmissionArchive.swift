import Archive
import ArgumentParser
import CommandLineText
import EncounterLog
import Schemes

/// The board from whose log a submission is made.
struct SubmissionArchive: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Board of the wearer: its name or the first digits of its log identity; default: the only board.",
            valueName: "board"), completion: ValueCompletion.board)
    var board: String?

    @OptionGroup var archive: EvidenceOptions

    /// The archive and one board in it, because a submission is one person's. A note on standard error
    /// reports the board's locked pages.
    func open() throws(Failure) -> WearerLog {
        let archive = try archive.open(.reading)
        let boards = try BoardChoice.boards(named: board, of: archive)
        guard boards.count == 1 else {
            let names = boards.map(\.label).joined(separator: ", ")
            throw Failure(.usage, "the archive has several boards; give the wearer's with --board: \(names)")
        }
        try LockedPagesText.printNote(archive, boards)
        return WearerLog(archive: archive, board: boards[0])
    }
}

/// The log of the board from which a submission is made.
struct WearerLog {
    let archive: Archive
    let board: ArchivedBoard

    /// The keys that the wearer's board made itself for a scheme, in the order of its log; at least one.
    ///
    /// - Parameter option: the option that names the file of a key that the board was given.
    func ownKeys(of scheme: SchemeID, orFileBy option: String) throws(Failure) -> [OwnKey] {
        let keys = try archiving { () throws(ArchiveError) in
            try archive.ownKeys(of: board.identity, scheme)
        }
        guard keys.isEmpty else { return keys }
        let locked = try archiving { () throws(ArchiveError) in
            try archive.lockedPages(of: board.identity)
        }
        let closed = locked.pageCount > 0 ? ", or decrypt its log with `tabardctl open`" : ""
        throw Failure(
            .noInput,
            "\(board.label): the readable log has no key that the board made itself for \(scheme.name); "
                + "give the key file with \(option)\(closed)")
    }
}
