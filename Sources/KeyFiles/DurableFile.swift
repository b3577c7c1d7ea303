import Foundation

/// Files that are never left half written: secrets, registers and reports. Some of them only their owner may
/// read.
public enum DurableFile {
    /// The mode of files that only their owner may read and write.
    public static let privateMode: mode_t = 0o600
    public static let publicMode: mode_t = 0o644

    /// Reads the bytes of a plain file.
    /// - Parameter isPrivate: Refuses the file if others than its owner may read it, because its secret may
    ///   have leaked.
    public static func read(
        _ path: String, isPrivate: Bool = false, maximumByteCount: Int = 64 << 20
    ) throws(DurableFileError) -> [UInt8] {
        let (bytes, mode) = try contents(of: path, maximumByteCount: maximumByteCount)
        guard !isPrivate || mode & 0o077 == 0 else { throw .tooOpen(path) }
        return bytes
    }

    /// Reads the bytes of a plain file, and its mode.
    static func contents(
        of path: String, maximumByteCount: Int
    ) throws(DurableFileError) -> (bytes: [UInt8], mode: mode_t) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw errno == ENOENT ? .absent(path) : .cannotRead(path, errno)
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .cannotRead(path, errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notPlain(path) }
        let data: Data?
        do { data = try handle.read(upToCount: maximumByteCount + 1) } catch { throw .cannotRead(path, EIO) }
        guard (data?.count ?? 0) <= maximumByteCount else { throw .tooLong(path) }
        return ([UInt8](data ?? Data()), status.st_mode)
    }

    /// Writes a new file, which is on the medium when this returns. It throws if the file exists.
    public static func create(_ path: String, _ bytes: [UInt8], mode: mode_t) throws(DurableFileError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard descriptor >= 0 else {
            throw errno == EEXIST ? .exists(path) : .cannotWrite(path, errno)
        }
        defer { close(descriptor) }
        guard isWritten(bytes, to: descriptor) else {
            let code = errno
            unlink(path)
            throw .cannotWrite(path, code)
        }
        try synchroniseFolder(of: path)
    }

    /// Replaces a file atomically: a reader sees either the old or the new contents in full, even after a
    /// crash.
    public static func replace(_ path: String, _ bytes: [UInt8], mode: mode_t) throws(DurableFileError) {
        let beside = try writeBeside(path, bytes, mode: mode)
        guard rename(beside, path) == 0 else {
            let code = errno
            unlink(beside)
            throw .cannotWrite(path, code)
        }
        try synchroniseFolder(of: path)
    }

    /// Writes a new file that never exists half written, even if several processes make it at once or the
    /// power fails.
    ///
    /// - Throws: `exists` if there is such a file.
    public static func createWhole(_ path: String, _ bytes: [UInt8], mode: mode_t) throws(DurableFileError) {
        let beside = try writeBeside(path, bytes, mode: mode)
        let code = link(beside, path) == 0 ? 0 : errno
        unlink(beside)
        guard code == 0 else { throw code == EEXIST ? .exists(path) : .cannotWrite(path, code) }
        try synchroniseFolder(of: path)
    }

    /// Writes a file that is to get the name `path`.
    /// - Returns: its name until then.
    private static func writeBeside(
        _ path: String, _ bytes: [UInt8], mode: mode_t
    ) throws(DurableFileError) -> String {
        let beside = "\(path).\(getpid()).new"
        // An earlier process with the same number may have been killed and left this file.
        unlink(beside)
        do throws(DurableFileError) { try create(beside, bytes, mode: mode) } catch {
            guard case .cannotWrite(_, let code) = error else { throw error }
            throw .cannotWrite(path, code)
        }
        return beside
    }

    /// Adds bytes at the end of a file, or makes it. Several processes may do that at once.
    public static func append(_ path: String, _ bytes: [UInt8], mode: mode_t) throws(DurableFileError) {
        let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw .cannotWrite(path, errno) }
        defer { close(descriptor) }
        guard isWritten(bytes, to: descriptor) else { throw .cannotWrite(path, errno) }
        try synchroniseFolder(of: path)
    }

    /// Whether anything has this name, even a symbolic link without a target.
    public static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// Makes a directory that only its owner may use, and any missing parent directories.
    public static func makeFolder(_ path: String) throws(DurableFileError) {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw .cannotWrite(path, errorNumber(error))
        }
    }

    /// Maps a Foundation error from writing a file to an errno value.
    public static func errorNumber(_ error: any Error) -> Int32 {
        switch (error as? CocoaError)?.code {
        case .fileNoSuchFile, .fileReadNoSuchFile: ENOENT
        case .fileWriteNoPermission: EACCES
        case .fileWriteVolumeReadOnly: EROFS
        case .fileWriteOutOfSpace: ENOSPC
        case .fileWriteFileExists: ENOTDIR
        default: EIO
        }
    }

    private static func isWritten(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return fsync(descriptor) == 0
    }

    static func synchroniseFolder(of path: String) throws(DurableFileError) {
        let folder = open(self.folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw .cannotWrite(path, errno) }
        defer { close(folder) }
        // Some file systems cannot synchronise a directory, and do not need to.
        guard fsync(folder) == 0 || errno == EINVAL else { throw .cannotWrite(path, errno) }
    }

    /// Returns the directory of a file, whether or not the file exists.
    public static func folder(of path: String) -> String {
        URL(filePath: path).deletingLastPathComponent().path
    }
}

/// A lock on a directory. While one process holds it, no other process that takes the lock changes files
/// there.
public final class FolderLock {
    private let descriptor: Int32

    /// Locks the directory of the file `path`.
    public init(of path: String) throws(DurableFileError) {
        let descriptor = open(DurableFile.folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .cannotWrite(path, errno) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            close(descriptor)
            throw code == EWOULDBLOCK ? .busy(path) : .cannotWrite(path, code)
        }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }
}

public enum DurableFileError: Error, Equatable, Sendable {
    case absent(String)
    /// The associated number is the system's error code (errno).
    case cannotRead(String, Int32)
    case cannotWrite(String, Int32)
    /// Others than the owner may read the secret.
    case tooOpen(String)
    /// The path is not a plain file but, for example, a directory or a device.
    case notPlain(String)
    case tooLong(String)
    /// The file exists and was not overwritten.
    case exists(String)
    /// Another process is changing files in the directory.
    case busy(String)
}
