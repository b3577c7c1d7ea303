import Archive
import ArgumentParser
import CommandLineText
import FixedMemory
import Foundation
import KeyFiles

struct OpenCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract: "Decrypt pages that were fetched without the owner key.",
        usage: "tabardctl open [<options>]",
        discussion: """
            Examples:
              tabardctl open
              tabardctl open --opening /media/safe/opening.pem
              tabardctl open --archive courier.sqlite --opening opening.pem \\
                  --opening opening-2025.pem

            A board with an owner key encrypts its pages. `tabardctl sync` decrypts them if it has \
            the key. Otherwise it stores them locked, and this command decrypts them later without \
            loss.

            The archive stores the result unencrypted: anyone with the archive can read it.

            The command prints the pages it opened, the pages that are still locked, and their key. \
            Exit codes: 0 done; 66 no key at hand; 77 the keys open none of the locked pages.
            """)

    @OptionGroup var ownerKey: OwnerKeyOptions

    @OptionGroup var boards: BoardOptions

    @OptionGroup var archive: ArchiveOptions

    func execute() throws(Failure) {
        let keys = try ownerKey.keys()
        let archive = try archive.openUpgraded(.existing, keys: keys)
        let boards = try BoardChoice.boards(named: self.boards.names, of: archive)
        var openedCount = 0
        var lockedCount = 0
        var lockedFor: String?
        var hasLocked = false
        for board in boards {
            let before = try lockedPages(of: board, archive)
            guard !before.isEmpty else {
                if !self.boards.names.isEmpty { Console.print("\(board.label): no locked pages") }
                continue
            }
            hasLocked = true
            guard !keys.isEmpty else {
                throw Failure(
                    .noInput,
                    "\(board.label): \(LockedPagesText.text(before) ?? ""); give that key with --opening")
            }
            let decoded = try archiving { () throws(ArchiveError) in
                try archive.decodePages(of: board.identity, keys: keys)
            }
            let after = try lockedPages(of: board, archive)
            openedCount += before.pageCount - after.pageCount
            lockedCount += after.pageCount
            lockedFor = lockedFor ?? LockedPagesText.text(after)
            Console.print("\(board.label): \(text(decoded, before.pageCount - after.pageCount, after))")
        }
        if self.boards.names.isEmpty, !hasLocked { Console.print("no locked pages") }
        guard openedCount > 0 || lockedCount == 0 else {
            throw Failure(
                .noPermission,
                "the given keys open none of the locked pages: \(lockedFor ?? ""); give another key with "
                    + "--opening"
            )
        }
    }

    private func lockedPages(of board: ArchivedBoard, _ archive: Archive) throws(Failure) -> [LockedPages] {
        try archiving { () throws(ArchiveError) in try archive.lockedPages(of: board.identity) }
    }

    private func text(_ decoded: ImportSummary, _ openedCount: Int, _ locked: [LockedPages]) -> String {
        var parts = [
            "\(Count.text(openedCount, "page")) opened",
            Count.text(decoded.entryCount, "new entry", "new entries"),
        ]
        if decoded.damagedPageCount > 0 {
            parts.append("\(Count.text(decoded.damagedPageCount, "damaged page")) (see `tabardctl verify`)")
        }
        if let text = LockedPagesText.text(locked) { parts.append("still locked: \(text)") }
        return parts.joined(separator: ", ")
    }
}
