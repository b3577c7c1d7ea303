import Archive
import CommandLineText
import FixedMemory
import KeyFiles

/// A note about locked pages. Without it, a list with missing entries would look complete.
enum SealedText {
    /// "12 pages locked (owner key 1a2b:…)"; nil if none is locked.
    static func text(_ closed: [ClosedPages]) -> String? {
        guard !closed.isEmpty else { return nil }
        return closed.map { part in
            "\(part.pageCount) \(part.pageCount == 1 ? "page" : "pages") locked (owner key "
                + "\(Fingerprint.text(part.fingerprint)))"
        }.joined(separator: ", ")
    }

    static let remedy = "decrypt them with `tabardctl open --opening FILE`"

    /// Prints a line on standard error for each board with locked pages.
    static func note(_ archive: Archive, _ boards: [BoardSummary]) throws(Failure) {
        for board in boards {
            let closed = try archiving { () throws(ArchiveError) in
                try archive.closedPages(of: board.identity)
            }
            guard let text = text(closed) else { continue }
            Console.note("\(board.label): \(text) not included; \(remedy)")
        }
    }

    static func note(_ archive: Archive, _ filter: EncounterFilter) throws(Failure) {
        let boards = try archiving { () throws(ArchiveError) in try archive.boards() }
        try note(archive, boards.filter(filter.admits(board:)))
    }
}
