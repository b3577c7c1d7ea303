import CommandLineText
import Foundation
import KeyFiles

/// The destination of a command's result.
enum OutputFile {
    /// A file that exists is only overwritten if the operator says so.
    static func requireAbsence(of output: String, force: Bool) throws(Failure) {
        guard output != "-", !force, FileManager.default.fileExists(atPath: output) else { return }
        throw Failure(.cannotCreate, "\(output): already exists; --force overwrites it")
    }

    /// Writes the whole file or nothing; "-" is standard output.
    static func write(_ data: Data, to output: String) throws(Failure) {
        guard output != "-" else { return Console.write(data) }
        do {
            try data.write(to: URL(filePath: output), options: .atomic)
        } catch {
            throw Failure(cannotWrite: output, DurableFile.errorNumber(error))
        }
    }
}
