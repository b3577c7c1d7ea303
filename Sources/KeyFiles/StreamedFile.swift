import Foundation

/// A file that is written in pieces under a temporary name, and gets its own name when it is complete. It is
/// for results that are too long for memory.
public final class StreamedFile {
    private let path: String
    private let beside: String
    private var descriptor: Int32

    public init(_ path: String, mode: mode_t) throws(DurableFileError) {
        self.path = path
        beside = "\(path).\(getpid()).new"
        // An earlier process with the same number may have been killed and left this file.
        unlink(beside)
        descriptor = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw .cannotWrite(path, errno) }
    }

    /// Removes the temporary file if ``place(replacing:)`` was not called.
    deinit {
        guard descriptor >= 0 else { return }
        close(descriptor)
        unlink(beside)
    }

    public func write(_ bytes: [UInt8]) throws(DurableFileError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .cannotWrite(path, errno) }
            rest = rest.dropFirst(count)
        }
    }

    /// Gives the file its name. It is on the medium when this returns.
    ///
    /// - Parameter replacing: Whether another file of that name may be overwritten; otherwise this throws
    ///   `exists`.
    public func place(replacing: Bool) throws(DurableFileError) {
        guard fsync(descriptor) == 0 else { throw .cannotWrite(path, errno) }
        try replacing ? rename() : giveNewName()
        close(descriptor)
        descriptor = -1
        try DurableFile.synchroniseFolder(of: path)
    }

    /// Unlike rename, link fails if the name has been taken meanwhile. File systems of memory cards have no
    /// links.
    private func giveNewName() throws(DurableFileError) {
        if link(beside, path) == 0 {
            unlink(beside)
            return
        }
        switch errno {
        case EEXIST: throw .exists(path)
        case EPERM, EOPNOTSUPP:
            if DurableFile.exists(path) { throw .exists(path) }
            try rename()
        case let code: throw .cannotWrite(path, code)
        }
    }

    private func rename() throws(DurableFileError) {
        guard Foundation.rename(beside, path) == 0 else { throw .cannotWrite(path, errno) }
    }
}
