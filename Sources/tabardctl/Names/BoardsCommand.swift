import ArgumentParser

struct BoardsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "boards", abstract: "List, rename and retire the boards of the archive.",
        subcommands: [BoardsListCommand.self, BoardsRenameCommand.self, BoardsRetireCommand.self],
        defaultSubcommand: BoardsListCommand.self)
}
