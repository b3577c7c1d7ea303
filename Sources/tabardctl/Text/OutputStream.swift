import CommandLineText
import Foundation
import KeyFiles

/// A result that is written piece by piece: to standard output, or to a file that appears when it is whole.
final class OutputStream {
    private let output: String
    /// The file behind symbolic links.
    private var place = "-"
    private var pending = Data()
    /// The unfinished file beside the output; nil for standard output.
    private var file: (handle: FileHandle, path: String)?

    private static let pieceByteCount = 1 << 16

    /// - Parameter output: the file's path; "-" is standard output.
    init(to output: String) throws(Failure) {
        self.output = output
        guard output != "-" else { return }
        place = try OutputFile.place(of: output)
        let path = "\(place).\(getpid()).part"
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw Failure(cannotWrite: output, errno) }
        file = (FileHandle(fileDescriptor: descriptor, closeOnDealloc: true), path)
    }

    /// Removes what was not finished.
    deinit {
        if let file { unlink(file.path) }
    }

    func write(_ data: Data) throws(Failure) {
        pending += data
        if pending.count >= Self.pieceByteCount { try flush() }
    }

    func finish() throws(Failure) {
        try flush()
        guard let file else { return }
        guard rename(file.path, place) == 0 else { throw Failure(cannotWrite: output, errno) }
        self.file = nil
    }

    private func flush() throws(Failure) {
        defer { pending.removeAll(keepingCapacity: true) }
        guard let file else { return Console.write(pending) }
        do {
            try file.handle.write(contentsOf: pending)
        } catch {
            throw Failure(cannotWrite: output, DurableFile.errorNumber(error))
        }
    }
}
