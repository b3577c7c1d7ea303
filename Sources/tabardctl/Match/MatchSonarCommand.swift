import ArgumentParser
import CommandLineText

/// A signpost: who looks for Sonar beside the other schemes is told where it is.
struct MatchSonarCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "sonar",
        abstract: "Not here: its authority says it, with `tabardctl authority sonar resolve`.",
        discussion: """
            Sonar publishes nothing that anybody could find himself in. Who fell ill uploads whom he read, with \
            `tabardctl submit sonar`; the authority resolves that, with `tabardctl authority sonar resolve`.

            Exit code 64, always.
            """)

    @Argument(
        parsing: .allUnrecognized, help: ArgumentHelp("Whatever stands here.", visibility: .hidden))
    var rest: [String] = []

    func execute() throws(Failure) {
        throw Failure(
            .usage,
            "Sonar publishes nothing to match; its authority resolves uploads: `tabardctl authority sonar resolve`"
        )
    }
}
