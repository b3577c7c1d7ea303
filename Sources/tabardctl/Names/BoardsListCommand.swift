import Archive
import ArgumentParser
import CommandLineText
import EncounterLog
import Reports

struct BoardsListCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the boards of the archive.",
        usage: "tabardctl boards [list] [<options>]",
        discussion: """
            Examples:
              tabardctl boards
              tabardctl boards --json
              tabardctl boards rename 4f1c22ab Foyer
              tabardctl boards retire Badge7

            The list has what was fetched from each board, and when. `tabardctl devices` lists the \
            boards that are plugged in.
            """)

    @OptionGroup var output: CSVOutputOptions
    @OptionGroup var archive: EvidenceOptions

    func execute() throws(Failure) {
        let listing = output.listing()
        let archive = try archive.open(.reading)
        let boards = try BoardChoice.boards(named: [], of: archive)
        let labels = try archiving { () throws(ArchiveError) in try archive.labels() }
        let roles = try archiving { () throws(ArchiveError) in try archive.roles() }
        let document = BoardsDocument(boards, labels: labels, roles: roles)
        try listing.write(document) { () throws(Failure) in
            let time = TimeText()
            var table = TextTable([
                .init(title: "NAME", narrowing: .wrapped(minimum: 10)), .init(title: "LOG"),
                .init(title: "GROUP", narrowing: .dropped(rank: 3)),
                .init(title: "ROLE", narrowing: .dropped(rank: 2)),
                .init(title: "LAST FETCHED"), .init(title: "SIZE", isNumber: true),
                .init(title: "ENTRIES", isNumber: true, narrowing: .dropped(rank: 1)),
                .init(title: "STATE", narrowing: .wrapped(minimum: 10)),
            ])
            for board in boards {
                table.append([
                    board.name ?? "-", board.identity.short, labels[board.identity].group ?? "-",
                    roles[board.identity].flatMap(\.name) ?? "-",
                    board.lastSync.map(time.dateAndTime) ?? "never", ByteText.text(board.byteCount),
                    "\(board.entryCount)", Self.state(board, time),
                ])
            }
            listing.print(table)
            Console.note("\(Count.text(boards.count, "board")); times are \(time.zoneName)")
        }
    }

    private static func state(_ board: BoardSummary, _ time: TimeText) -> String {
        let parts = [
            board.retirement.map { "retired \(time.shortDate($0))" },
            board.lockedPageCount > 0 ? "\(Count.text(board.lockedPageCount, "locked page"))" : nil,
            board.damagedPageCount > 0 ? "\(Count.text(board.damagedPageCount, "damaged page"))" : nil,
        ].compactMap(\.self)
        return parts.isEmpty ? "-" : parts.joined(separator: ", ")
    }
}
