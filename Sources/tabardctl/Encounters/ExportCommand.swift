import ArgumentParser

/// Formats of other programs.
struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write what was recorded in the formats of other programs.",
        subcommands: [ExportHeraldCommand.self])
}
