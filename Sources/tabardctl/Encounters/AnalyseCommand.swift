import ArgumentParser

/// Statistics from logs of boards and of other devices.
struct AnalyseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "analyse", abstract: "Compute statistics from logs.",
        subcommands: [AnalyseFormalCommand.self], aliases: ["analyze"])
}
