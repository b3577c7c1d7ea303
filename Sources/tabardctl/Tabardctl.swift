import ArgumentParser
import CommandLineText
import Foundation
import ProductVersion
import Reports

/// The operator's program.
@main
struct Tabardctl: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tabardctl",
        abstract: "Fetch, archive and analyse the logs of Tabard boards.",
        discussion: """
            Examples:
              tabardctl devices                     list the boards that are plugged in
              tabardctl doctor                      find what keeps a board from its work
              tabardctl sync                        fetch new log data into the archive
              tabardctl trust                       list boards that nobody has trusted yet
              tabardctl open                        decrypt pages with the owner key
              tabardctl verify                      check that a log is complete
              tabardctl encounters --since 2h       list recent encounters
              tabardctl coverage --since 2h         show when boards were listening
              tabardctl report --output today.html  write an HTML report
              tabardctl serve                       show boards and archive in a browser

            Exit codes: 0 done, 64 usage, 65 damaged data, 66 no such file, 69 no board, 73 the \
            output exists, 74 input or output failed, 75 interrupted (run it again), 76 not proven, 77 \
            permission denied.
            """,
        version: "tabardctl \(ProductVersion.text)",
        subcommands: [
            DevicesCommand.self, DoctorCommand.self, SyncCommand.self, TrustCommand.self, OpenCommand.self,
            VerifyCommand.self,
            EncountersCommand.self, WhoMetCommand.self, ContactsCommand.self,
            PresenceCommand.self, SummaryCommand.self,
            CoverageCommand.self,
            ClocksCommand.self, ReportCommand.self, ServeCommand.self, ExportCommand.self,
            AnalyseCommand.self,
            SubmitCommand.self, PayloadCommand.self, AuthorityCommand.self, MatchCommand.self,
            MessagesCommand.self, MarkersCommand.self, BoardsCommand.self, LabelCommand.self,
            CalibrateCommand.self,
            SendCommand.self, KeysCommand.self, PrepareCommand.self, SetupCommand.self, ProvisionCommand.self,
            RotateCommand.self,
            ConfigCommand.self, UpdateCommand.self, BackupCommand.self, RestoreCommand.self,
            EraseCommand.self, ForgetCommand.self, ArchiveCommand.self, InspectCommand.self,
            ConvertCommand.self, ConformanceCommand.self,
            VersionCommand.self,
        ])

    /// Runs as the parser's own main function does, but prints usage errors as one line, like all other
    /// errors.
    static func main() {
        // Archives, keys, reports and submissions are about people: files are for their owner alone.
        umask(0o077)
        if let zone = LocalZone.unknownName {
            Console.report(
                "warning: TZ=\(PlainText.displayable(zone)): no such time zone; local times are UTC")
        }
        if let mistake = CommandNames.mistake(in: Array(CommandLine.arguments.dropFirst())) {
            Console.report("tabardctl: \(mistake.message)")
            exit(withError: ExitCode(mistake.code.rawValue))
        }
        do {
            var command = try parseAsRoot()
            defer { OpenArchives.close() }
            try command.run()
        } catch {
            let message = fullMessage(for: error)
            if exitCode(for: error) == .success, HelpText.broken(message) != message {
                Console.print(HelpText.broken(message))
                exit()
            }
            guard let line = UsageText.line(for: error) else { exit(withError: error) }
            Console.report(line)
            exit(withError: ExitCode.validationFailure)
        }
    }
}

struct VersionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "version", abstract: "Print the version.")

    func run() { Console.print("tabardctl \(ProductVersion.text)") }
}
