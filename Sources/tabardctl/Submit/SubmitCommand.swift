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
            """,
        subcommands: [
            SubmitHeraldCommand.self, SubmitSonarCommand.self, SubmitCovidTracerCommand.self,
            SubmitBLEProximityCommand.self, SubmitExposureNotificationCommand.self,
        ])
}
