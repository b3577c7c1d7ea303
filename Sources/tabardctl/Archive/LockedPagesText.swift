import Archive
import CommandLineText
import FixedMemory
import KeyFiles
import Reports

/// A note about locked pages. Without it, a list with missing entries would look complete.
enum LockedPagesText {
    /// "12 pages locked (owner key 1a2b:…)"; nil when there are none.
    static func text(_ locked: [LockedPages]) -> String? {
        guard !locked.isEmpty else { return nil }
        return locked.map { part in
            "\(Count.text(part.pageCount, "page")) locked (owner key \(Fingerprint.text(part.fingerprint)))"
        }.joined(separator: ", ")
    }

    static let remedy = "decrypt them with `tabardctl open --opening FILE`"

    /// Lines on standard error for each board with pages that are left out, locked pages, or undecoded
    /// segments.
    static func printNote(_ archive: Archive, _ boards: [ArchivedBoard]) throws(Failure) {
        for board in boards {
            let leftOut = try archiving { () throws(ArchiveError) in
                try archive.leftOutPages(of: board.identity)
            }
            if let text = LeftOutText.text(leftOut) {
                Console.report("\(board.label): left out: \(text)\(LeftOutText.remedy(leftOut))")
            }
            let locked = try archiving { () throws(ArchiveError) in
                try archive.lockedPages(of: board.identity)
            }
            if let text = text(locked) {
                Console.report("\(board.label): \(text) not included; \(remedy)")
            }
            let waiting = try archiving { () throws(ArchiveError) in
                try archive.waitingSegmentCount(of: board.identity)
            }
            if waiting > 0 {
                Console.report(
                    "\(board.label): \(Count.text(waiting, "segment")) not decoded and not included; "
                        + "run `tabardctl archive upgrade`")
            }
        }
    }

    static func printNote(_ archive: Archive, _ filter: EncounterFilter) throws(Failure) {
        let boards = try archiving { () throws(ArchiveError) in try archive.boards() }
        try printNote(archive, boards.filter(filter.admits(board:)))
    }
}
