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
        let file = try status(of: output)
        guard !force, file != nil else { return }
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
        guard let file = try status(of: output) else { return output }
        for archive in archives {
            for path in [archive, archive + "-wal", archive + "-shm"] {
                guard let other = FileStatus(path), other.device == file.device, other.inode == file.inode
                else { continue }
                throw Failure(.usage, "\(output): the archive itself; give another name with --output")
            }
        }
        return URL(filePath: output).resolvingSymlinksInPath().path
    }

    /// The plain file that is there; nil if there is none. A pipe or a device would be replaced by a file of
    /// its name, which nobody wants.
    private static func status(of output: String) throws(Failure) -> FileStatus? {
        guard !output.isEmpty else {
            throw Failure(.usage, "--output: no name; write a file's name, or - for standard output")
        }
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: output, isDirectory: &isFolder), isFolder.boolValue {
            throw Failure(cannotWrite: output, EISDIR)
        }
        guard let file = FileStatus(output) else { return nil }
        guard file.isPlain else {
            throw Failure(
                .cannotCreate, "\(output): not a file; write to - and redirect standard output there")
        }
        return file
    }
}
