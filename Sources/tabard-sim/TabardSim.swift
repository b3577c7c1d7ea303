import ArgumentParser
import CommandLineText
import Foundation
import ProductVersion

@main struct TabardSim: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tabard-sim", abstract: "Run the agent in simulated worlds.",
        discussion:
            "Examples:\n  tabard-sim run --seeds 50\n  tabard-sim faults --seed 7\n\n"
            + "Exit codes: 0 all checks passed, 64 usage, 66 no such file, 70 a check failed, "
            + "73 a file cannot be written.",
        version: "tabard-sim \(ProductVersion.text)",
        subcommands: [
            RunCommand.self, FaultsCommand.self, SilenceCommand.self, EmptyCommand.self, SparseCommand.self,
            FloodCommand.self,
            VenueCommand.self, AttackersCommand.self,
            FormalCommand.self, QuietDayCommand.self, WorkDayCommand.self, PowerCutCommand.self,
            FlipsCommand.self,
            ControllerCommand.self, ThiefCommand.self, ClocksCommand.self, OutbreakCommand.self,
            SpeedCommand.self, LogBenchCommand.self, ArchiveCommand.self, HeraldLogsCommand.self,
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
