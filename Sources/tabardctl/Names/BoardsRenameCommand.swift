import Archive
import ArgumentParser
import CommandLineText

struct BoardsRenameCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename", abstract: "Give a board another name in the archive.",
        usage: "tabardctl boards rename <board> <name> [<options>]",
        discussion: """
            Examples:
              tabardctl boards rename Badge1 "Badge 1, ward 3"
              tabardctl boards rename 4f1c22ab Foyer

            The board itself keeps the name that it shows to others; \
            `tabardctl config PORT set` changes that.
            """)

    @Argument(
        help: ArgumentHelp("Its name, or the first digits of its log identity.", valueName: "board"),
        completion: ValueCompletion.board)
    var board: String

    @Argument(help: ArgumentHelp("New name.", valueName: "name"))
    var name: String

    @OptionGroup var archive: ArchiveOptions

    func validate() throws {
        guard Label(name: name).isValid else {
            throw ValidationError(
                "the name must be one line of 1 to \(Label.longestText) characters, without control characters"
            )
        }
    }

    func execute() throws(Failure) {
        let archive = try archive.open(.existing)
        let board = try BoardChoice.board(named: board, of: archive)
        try BoardNameRule.reportNamesakes(of: board.identity, named: name, in: archive)
        try archiving { () throws(ArchiveError) in
            var label = try archive.labels()[board.identity]
            label.name = name
            try archive.store([.board(board.identity): label])
        }
        Console.print("\(board.label) (\(board.identity.short)) is now \(name)")
    }
}
