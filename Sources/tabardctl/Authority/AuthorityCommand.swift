import ArgumentParser

/// The other end: what a health authority does with what was handed over.
struct AuthorityCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "authority", abstract: "Be a health authority: take reports, publish, resolve.",
        discussion: """
            Registers are files that only their owner may read; each change replaces the file as a whole. One tabardctl at a \
            time changes files of a folder.
            """,
        subcommands: [
            AuthorityHeraldCommand.self, AuthoritySonarCommand.self, AuthorityCovidTracerCommand.self,
            AuthorityBLEProximityCommand.self, AuthorityExposureNotificationCommand.self,
        ])
}
