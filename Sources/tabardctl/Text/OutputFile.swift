import CommandLineText
import Foundation
import KeyFiles

/// The destination of a command's result.
enum OutputFile {
    /// The archives that this command reads or writes, which no output may replace.
    static nonisolated(unsafe) var archives: Set<String> = []

    /// A file that exists is only overwritten if the operator says so.
    static func requireAbsence(of output: String, force: Bool) throws(Failure) {
        guard output != "-" else { return }
        guard try exists(output), !force else { return }
        throw Failure(.cannotCreate, "\(output): already exists; --force overwrites it")
    }

    /// Writes the whole file or nothing; "-" is standard output.
    static func write(_ data: Data, to output: String) throws(Failure) {
        guard output != "-" else { return Console.write(data) }
        let place = try place(of: output)
        do {
            try data.write(to: URL(filePath: place), options: .atomic)
        } catch {
            throw Failure(cannotWrite: output, DurableFile.errorNumber(error))
        }
    }

    /// The path to write to: that of the file behind symbolic links, which stay as they are.
    static func place(of output: String) throws(Failure) -> String {
        guard try exists(output) else { return output }
        let taken = archives.flatMap { [$0, $0 + "-wal", $0 + "-shm"] }
        guard !taken.contains(where: { FileStatus.areSame($0, output) }) else {
            throw Failure(.usage, "\(output): the archive itself; give another name with --output")
        }
        return URL(filePath: output).resolvingSymlinksInPath().path
    }

    /// Whether a plain file is there. A pipe or a device would be replaced by a file of its name, which
    /// nobody wants.
    private static func exists(_ output: String) throws(Failure) -> Bool {
        guard !output.isEmpty else {
            throw Failure(.usage, "--output: no name; write a file's name, or - for standard output")
        }
        guard let file = FileStatus(output) else { return false }
        guard !file.isFolder else { throw Failure(cannotWrite: output, EISDIR) }
        guard file.isPlain else {
            throw Failure(
                .cannotCreate, "\(output): not a file; write to - and redirect standard output there")
        }
        return true
    }
}
