import Archive
import CommandLineText

/// The boards of an archive that a command applies to.
enum BoardChoice {
    /// All boards, or those with this name; at least one.
    static func boards(named name: String?, of archive: Archive) throws(Failure) -> [BoardSummary] {
        let all = try archiving { () throws(ArchiveError) in try archive.boards() }
        guard !all.isEmpty else {
            throw Failure(
                .noInput, "\(archive.path): the archive is empty; fetch a board with `tabardctl sync`")
        }
        var filter = EncounterFilter()
        filter.board = name
        let boards = all.filter(filter.admits(board:))
        guard !boards.isEmpty else {
            let names = all.map(\.label).joined(separator: ", ")
            throw Failure(.noInput, "--board \(name ?? ""): no such board; the archive contains \(names)")
        }
        return boards
    }
}
