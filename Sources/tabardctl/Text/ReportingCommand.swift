import ArgumentParser
import CommandLineText

/// A command whose failures are printed as one line on standard error.
protocol ReportingCommand: ParsableCommand {
    func execute() throws(Failure)
}

extension ReportingCommand {
    func run() throws {
        do throws(Failure) {
            try execute()
        } catch {
            Console.report("tabardctl: \(error.message)")
            throw ExitCode(error.code.rawValue)
        }
    }
}
