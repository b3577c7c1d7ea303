import CommandLineText
import KeyFiles

/// The file that a converted capture is written to, or standard output. A file gets its name when it is
/// complete.
struct ConversionOutput {
    private let path: String
    private let replaces: Bool
    private var file: StreamedFile?

    /// - Parameter replaces: whether an existing file may be overwritten.
    init(_ path: String, replaces: Bool) throws(Failure) {
        self.path = path
        self.replaces = replaces
        if path != "-", !replaces, DurableFile.exists(path) { throw Self.exists(path) }
    }

    mutating func write(_ bytes: [UInt8]) throws(Failure) {
        guard path != "-" else { return Console.write(.init(bytes)) }
        do throws(DurableFileError) {
            // Only now, so that a file that is not a capture leaves nothing.
            if file == nil { file = try StreamedFile(path, mode: DurableFile.privateMode) }
            try file?.write(bytes)
        } catch {
            throw Failure(error)
        }
    }

    func finish() throws(Failure) {
        do throws(DurableFileError) { try file?.place(replacing: replaces) } catch {
            guard case .exists = error else { throw Failure(error) }
            throw Self.exists(path)
        }
    }

    private static func exists(_ path: String) -> Failure {
        Failure(.cannotCreate, "\(path): already exists; --force overwrites it")
    }
}
