import ArgumentParser

/// What authorities publish, against what boards recorded.
struct MatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "match", abstract: "Find in the archive whom authorities have published.",
        discussion: """
            Sonar publishes nothing: its authority resolves what was uploaded.
            """,
        subcommands: [
            MatchHeraldCommand.self, MatchSonarCommand.self, MatchCovidTracerCommand.self,
            MatchBLEProximityCommand.self,
            MatchExposureNotificationCommand.self,
        ])
}
