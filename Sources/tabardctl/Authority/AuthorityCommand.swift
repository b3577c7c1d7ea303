import ArgumentParser

/// The other side: the tasks of a health authority that receives submissions.
struct AuthorityCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "authority", abstract: "Act as a health authority: accept, publish, resolve.",
        discussion: """
            Examples:
              tabardctl authority herald append keys.json --list published.json
              tabardctl authority sonar new --directory authority

            Only their owner can read register files. Each change replaces the file as a whole. Only \
            one tabardctl at a time changes files of a folder.
            """,
        subcommands: [
            AuthorityHeraldCommand.self, AuthoritySonarCommand.self, AuthorityCovidTracerCommand.self,
            AuthorityBLEProximityCommand.self, AuthorityExposureNotificationCommand.self,
        ])
}
