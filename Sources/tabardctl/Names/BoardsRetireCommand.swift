import Archive
import ArgumentParser
import CommandLineText
import FixedMemory
import LogContents

struct BoardsRetireCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "retire", abstract: "Mark a board as out of service.",
        usage: "tabardctl boards retire <board> [--undo] [<options>]",
        discussion: """
            Examples:
              tabardctl boards retire Badge7
              tabardctl boards retire Badge7 --undo

            What was fetched from the board stays, and lists still have it. If a retired board is \
            plugged in again, `tabardctl sync` fetches its log and says that it is retired. \
            `tabardctl forget` removes data.
            """)

    @Argument(
        help: ArgumentHelp("Its name, or the first digits of its log identity.", valueName: "board"),
        completion: ValueCompletion.board)
    var board: String

    @Flag(help: "Take the board into service again.")
    var undo = false

    @OptionGroup var archive: ArchiveOptions

    func execute() throws(Failure) {
        let archive = try archive.open(.existing)
        let board = try BoardChoice.board(named: board, of: archive)
        guard (board.retirement == nil) == !undo else {
            return Console.report("\(board.label): \(undo ? "in service already" : "retired already")")
        }
        try archiving { () throws(ArchiveError) in
            try archive.setRetirement(of: board.identity, at: undo ? nil : .now)
        }
        Console.print("\(board.label) is \(undo ? "in service again" : "retired")")
    }
}
