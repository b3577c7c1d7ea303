import Archive
import EncounterLog

/// A row of the list of boards.
public struct ListedBoard: Sendable {
    public let board: ArchivedBoard
    /// How much the archive has of its log.
    public let contents: BoardContents
    public let label: Label
    /// As the board last said; nil if it never did.
    public let role: LogRole?

    public static func all(
        _ boards: [ArchivedBoard], of archive: Archive
    ) throws(ArchiveError) -> [ListedBoard] {
        let labels = try archive.labels()
        let roles = try archive.roles()
        var listed: [ListedBoard] = []
        for board in boards {
            listed.append(
                ListedBoard(
                    board: board, contents: try archive.contents(of: board.identity),
                    label: labels[board.identity], role: roles[board.identity]))
        }
        return listed
    }
}
