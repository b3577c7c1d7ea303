import ArgumentParser
import CommandLineText
import Foundation

@main struct TabardSim: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tabard-sim", abstract: "Runs the agent in a simulated world, from a seed.",
        discussion:
            "Exit codes: 0 all held, 64 usage, 66 a file is not there, 70 something that must hold did not, "
            + "73 a file cannot be written.",
        subcommands: [
            RunCommand.self, FaultsCommand.self, SilenceCommand.self, EmptyCommand.self, FloodCommand.self,
            VenueCommand.self,
            FormalCommand.self, QuietDayCommand.self, PowerCutCommand.self, FlipsCommand.self,
            ControllerCommand.self, ThiefCommand.self, OutbreakCommand.self,
            SpeedCommand.self, LogBenchCommand.self,
        ])

    static func main() {
        do {
            var command = try parseAsRoot()
            try command.run()
        } catch let failure as Failure {
            FileHandle.standardError.write(Data("tabard-sim: \(failure.message)\n".utf8))
            Foundation.exit(failure.code.rawValue)
        } catch {
            exit(withError: error)
        }
    }
}
