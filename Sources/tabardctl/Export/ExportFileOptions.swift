import ArgumentParser
import CommandLineText
import Exports
import Foundation
import KeyFiles

/// The file of an export.
struct ExportFileOptions: ParsableArguments {
    @Option(
        name: .shortAndLong, help: ArgumentHelp("Output file; - is standard output.", valueName: "file"),
        completion: .file())
    var output: String

    @Flag(help: "Overwrite an existing file.")
    var force = false

    /// Writes the file of a format that needs nothing but the contacts and their provenance.
    func write(
        _ export: ExportOptions, of archive: EvidenceOptions,
        _ write: (Provenance, ContactNetwork, ExportOutput) throws -> Void
    ) throws(Failure) {
        try OutputFile.requireAbsence(of: output, force: force)
        let network = try export.network(of: try archive.open(.reading))
        let provenance = try ExportOptions.provenance(network)
        try self.write(network) { try write(provenance, network, $0) }
        ExportText.reportMissing(network)
    }

    /// Writes the file as a whole or not at all, and reports what is in it.
    ///
    /// - Parameter write: writes the content.
    func write(
        _ network: ContactNetwork, _ write: (ExportOutput) throws -> Void
    ) throws(Failure) {
        try Self.write(to: output, force: force, write)
        ExportText.report(network, output)
    }

    @discardableResult
    static func write(
        to path: String, force: Bool, _ write: (ExportOutput) throws -> Void
    ) throws(Failure) -> ExportedFile {
        try OutputFile.requireAbsence(of: path, force: force)
        let stream = try OutputStream(to: path)
        let file = ExportedFile()
        func requireWish() throws(Failure) {
            guard Interruption.isRequested else { return }
            throw Failure(.tryAgain, "interrupted; \(path) was not written")
        }
        let output = ExportOutput { data in
            try requireWish()
            file.add(data)
            try stream.write(data)
        }
        do {
            try write(output)
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure(archive: error, path)
        }
        // A reading that was interrupted ends early, without an error.
        try requireWish()
        try stream.finish()
        return file
    }
}
