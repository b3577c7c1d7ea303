import ArgumentParser

/// Figures from logs, ours and others'.
struct AnalyseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "analyse", abstract: "Compute statistics from logs.",
        subcommands: [AnalyseFormalCommand.self], aliases: ["analyze"])
}
