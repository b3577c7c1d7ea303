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
            let table = BoardListTable(boards, labels: labels, roles: roles, time: time).table
            listing.print(table)
            Console.note("\(Count.text(boards.count, "board")); times are \(time.zoneName)")
        }
    }
}
