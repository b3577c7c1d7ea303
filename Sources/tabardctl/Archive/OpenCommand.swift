import Archive
import ArgumentParser
import CommandLineText
import FixedMemory
import Foundation
import KeyFiles

struct OpenCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract: "Open what boards have sealed and somebody without the key has fetched.",
        discussion: """
            A board that has an opening key seals its pages for it. `tabardctl sync` opens them if the key is at hand; \
            without, it stores them closed, and nothing is lost: this command opens them any time later. What it reads goes \
            into the archive in clear. Whoever has the archive can read that.

            It says what was opened, what is still closed, and for which key. Exit code 66: no key at hand; 77: these keys \
            open nothing of what is closed.

            Examples:
              tabardctl open
              tabardctl open --opening /media/safe/opening.pem
              tabardctl open --archive courier.sqlite --opening opening.pem --opening opening-2025.pem
            """)

    @OptionGroup var opening: OpeningOptions

    @Option(
        help: ArgumentHelp("Only this board: its name, or the first digits of its log.", valueName: "board"))
    var board: String?

    @OptionGroup var archive: ArchiveOptions

    func execute() throws(Failure) {
        let keys = try opening.keys()
        let archive = try archive.open(.existing)
        let boards = try BoardChoice.boards(named: board, of: archive)
        var openedCount = 0
        var closedCount = 0
        var closedFor: String?
        for board in boards {
            let before = try closedPages(of: board, archive)
            guard !before.isEmpty else {
                Console.print("\(board.label): nothing is sealed")
                continue
            }
            guard !keys.isEmpty else {
                throw Failure(
                    .noInput,
                    "\(board.label): \(SealedText.text(before) ?? ""); name that key's file with --opening")
            }
            let decoded = try archiving { () throws(ArchiveError) in
                try archive.decodePages(of: board.identity, keys: keys)
            }
            let after = try closedPages(of: board, archive)
            openedCount += before.pageCount - after.pageCount
            closedCount += after.pageCount
            closedFor = closedFor ?? SealedText.text(after)
            Console.print("\(board.label): \(text(decoded, before.pageCount - after.pageCount, after))")
        }
        guard openedCount > 0 || closedCount == 0 else {
            throw Failure(.noPermission, "these keys open nothing: \(closedFor ?? "")")
        }
    }

    private func closedPages(of board: BoardSummary, _ archive: Archive) throws(Failure) -> [ClosedPages] {
        try archiving { () throws(ArchiveError) in try archive.closedPages(of: board.identity) }
    }

    private func text(_ decoded: ImportSummary, _ openedCount: Int, _ closed: [ClosedPages]) -> String {
        var parts = ["\(openedCount) pages opened", "\(decoded.entryCount) new entries"]
        if decoded.damagedPageCount > 0 {
            parts.append("\(decoded.damagedPageCount) damaged pages, which `tabardctl verify` tells more of")
        }
        if let text = SealedText.text(closed) { parts.append("still closed: \(text)") }
        return parts.joined(separator: ", ")
    }
}
