import Archive
import ArgumentParser
import CommandLineText

/// A command whose failures are printed as one line on standard error.
protocol ReportingCommand: ParsableCommand {
    /// Whether long work on an archive shows its progress on a terminal.
    var showsProgress: Bool { get }

    func execute() throws(Failure)
}

extension ReportingCommand {
    var showsProgress: Bool { true }

    func run() throws {
        do throws(Failure) {
            try executeWithProgress()
        } catch {
            Console.report("tabardctl: \(error.message)")
            throw ExitCode(error.code.rawValue)
        }
    }

    /// Shows the progress of long work on an archive, where somebody watches.
    private func executeWithProgress() throws(Failure) {
        guard Console.isInteractive, showsProgress else { return try execute() }
        let note = ArchiveProgressNote()
        var failure: Failure?
        ArchiveProgress.$listener.withValue(ArchiveProgressListener { note.show($0) }) {
            do throws(Failure) { try execute() } catch { failure = error }
        }
        Console.endNote()
        if let failure { throw failure }
    }
}
