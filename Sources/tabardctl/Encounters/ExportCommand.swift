import ArgumentParser

/// Exports in the formats of other programs.
struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Export encounters in the formats of other programs.",
        subcommands: [ExportHeraldCommand.self])
}
