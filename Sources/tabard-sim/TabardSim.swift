import ArgumentParser

@main struct TabardSim: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tabard-sim", abstract: "Runs the agent in a simulated world, from a seed.",
        subcommands: [ControllerCommand.self, SpeedCommand.self])
}
