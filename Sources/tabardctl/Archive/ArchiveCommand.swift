import ArgumentParser

struct ArchiveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "archive", abstract: "Maintain the archive file.",
        subcommands: [ArchiveUpgradeCommand.self, ArchiveRebuildCommand.self])
}
