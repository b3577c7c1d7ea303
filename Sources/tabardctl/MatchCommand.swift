import ArgumentParser

/// What authorities publish, against what boards recorded.
struct MatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "match", abstract: "Find in the archive whom authorities have published.",
        subcommands: [MatchExposureNotificationCommand.self])
}
