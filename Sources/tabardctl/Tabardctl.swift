import ArgumentParser

/// The operator's program.
@main
struct Tabardctl: ParsableCommand {
    static let version = "0.1.0"

    static let configuration = CommandConfiguration(
        commandName: "tabardctl",
        abstract: "Fetch what Tabard boards recorded, keep it, and show who was near whom.",
        discussion: """
            A first session:
              tabardctl devices                    which boards are plugged in
              tabardctl sync                       fetch what is new into the archive
              tabardctl open                       read what was fetched without the opening key
              tabardctl verify                     is it whole, and as the boards wrote it
              tabardctl encounters --since 2h      who was near, lately
              tabardctl coverage --since 2h        when the boards listened, and why not otherwise
              tabardctl report --output today.html one page with pictures

            Exit codes: 0 done, 64 usage, 65 damaged data, 66 no such file, 69 no board, 73 the output exists, \
            74 input/output, 75 interrupted (run it again), 77 permission denied.
            """,
        version: "tabardctl \(version)",
        subcommands: [
            DevicesCommand.self, SyncCommand.self, OpenCommand.self, VerifyCommand.self,
            EncountersCommand.self,
            CoverageCommand.self,
            ClocksCommand.self, ReportCommand.self, ExportCommand.self, AnalyseCommand.self,
            SubmitCommand.self, PayloadCommand.self, AuthorityCommand.self, MatchCommand.self,
            MessagesCommand.self,
            SendCommand.self, KeysCommand.self, ProvisionCommand.self, RotateCommand.self, ConfigCommand.self,
            EraseCommand.self, ForgetCommand.self, InspectCommand.self, ConformanceCommand.self,
            VersionCommand.self,
        ])

    /// As the parser's own, but that errors of usage are told in one line, as all others are.
    static func main() {
        do {
            var command = try parseAsRoot()
            try command.run()
        } catch {
            guard let line = UsageText.line(for: error) else { exit(withError: error) }
            Console.note(line)
            exit(withError: ExitCode.validationFailure)
        }
    }
}

struct VersionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "version", abstract: "Say which version this is.")

    func run() { print("tabardctl \(Tabardctl.version)") }
}
