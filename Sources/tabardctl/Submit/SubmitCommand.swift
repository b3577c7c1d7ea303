import ArgumentParser

/// Prepares all submissions to authorities.
struct SubmitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "submit",
        abstract: "Prepare a patient's submission to a health authority.",
        discussion: """
            Examples:
              tabardctl submit herald --board Anna --output keys.json
              tabardctl submit covid-tracer --symptoms-began 2026-11-20 --board Anna \\
                  --output report.http

            A submission has the patient's own identities or contacts, depending on the scheme. The \
            command shows its contents on standard error and asks, unless --yes is given. It only \
            writes a file and sends nothing because no authority of these schemes exists any more.

            Exit codes: 0 written; 64 the command could not ask, and there was no --yes; 65 a file \
            is damaged; 66 no such file, or nothing to submit; 75 not confirmed; 77 other users can \
            read a secret.
            """,
        subcommands: [
            SubmitHeraldCommand.self, SubmitSonarCommand.self, SubmitCovidTracerCommand.self,
            SubmitBLEProximityCommand.self, SubmitExposureNotificationCommand.self,
        ])
}
