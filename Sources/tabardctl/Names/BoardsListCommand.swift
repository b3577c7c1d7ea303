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
        let all = try BoardChoice.boards(named: [], of: archive)
        let boards = try archiving { () throws(ArchiveError) in try ListedBoard.all(all, of: archive) }
        try listing.write(BoardsDocument(boards)) { () throws(Failure) in
            let time = TimeText()
            listing.print(BoardListTable(boards, time: time).table)
            Console.note("\(Count.text(boards.count, "board")); times are \(time.zoneName)")
        }
    }
}
