import ArgumentParser

/// Whatever leaves for an authority, leaves here.
struct SubmitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "submit",
        abstract: "Make what somebody who fell ill hands over to an authority; it asks first.",
        discussion: """
            Each scheme reports something else: who one was, or whom one met. What would be handed over is shown on standard \
            error, and written only after a yes, or with --yes. Nothing is sent: no authority of these schemes is there any \
            more, and what is written can be read before somebody does it.

            Exit code 0: written; 64: nobody can be asked, and there was no --yes; 75: somebody was, and did not say yes; 65: a \
            file is not what it should be; 66: there is no such file, or nothing to hand over; 77: others may read a secret.
            """,
        subcommands: [
            SubmitHeraldCommand.self, SubmitSonarCommand.self, SubmitCovidTracerCommand.self,
            SubmitBLEProximityCommand.self, SubmitExposureNotificationCommand.self,
        ])
}
