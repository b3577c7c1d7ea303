import ArgumentParser

/// Compares published keys of authorities with the boards' recordings.
struct MatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "match", abstract: "Find encounters with published identities.",
        discussion: """
            Examples:
              tabardctl match herald published.json
              tabardctl match exposure-notification 2026-11-22.zip \\
                  --verification-key authority.pem

            Sonar publishes nothing. Its authority resolves uploads with `tabardctl authority sonar \
            resolve`.
            """,
        subcommands: [
            MatchHeraldCommand.self, MatchSonarCommand.self, MatchCovidTracerCommand.self,
            MatchBLEProximityCommand.self,
            MatchExposureNotificationCommand.self,
        ])
}
