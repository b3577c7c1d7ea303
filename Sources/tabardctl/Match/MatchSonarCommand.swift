import ArgumentParser
import CommandLineText

/// Points to Sonar's own command, because users look for Sonar beside the other schemes.
struct MatchSonarCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "sonar",
        abstract: "Explain why Sonar has nothing to match.",
        discussion: """
            Examples:
              tabardctl submit sonar --registration board.keys.sonar --symptom cough \\
                  --symptoms-began 2026-11-20 --output upload.http
              tabardctl authority sonar resolve upload.http --key sonar.pem \\
                  --register register.json

            Sonar publishes no identities. A patient uploads contacts with `tabardctl submit sonar`. \
            The authority resolves them with `tabardctl authority sonar resolve`.

            Exit code: always 64.
            """)

    @Argument(
        parsing: .allUnrecognized, help: ArgumentHelp("Ignored.", visibility: .hidden))
    var rest: [String] = []

    func execute() throws(Failure) {
        throw Failure(
            .usage,
            "Sonar publishes nothing to match; its authority resolves uploads with `tabardctl authority "
                + "sonar resolve`"
        )
    }
}
