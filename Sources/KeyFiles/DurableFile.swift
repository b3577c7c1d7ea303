import Foundation

/// Files that must be whole whatever happens, and of which some are nobody else's to read: secrets, registers, reports.
public enum DurableFile {
    /// Nobody but the owner may read it.
    public static let privateMode: mode_t = 0o600
    public static let publicMode: mode_t = 0o644

    /// A plain file's bytes.
    /// - Parameter isPrivate: refuse it where others than its owner may read it, for they may have.
    public static func read(
        _ path: String, isPrivate: Bool = false, maximumByteCount: Int = 64 << 20
    ) throws(DurableFileError) -> [UInt8] {
        let (bytes, mode) = try contents(of: path, maximumByteCount: maximumByteCount)
        guard !isPrivate || mode & 0o077 == 0 else { throw .tooOpen(path) }
        return bytes
    }

    /// A plain file's bytes, and who may do what with it.
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

    /// Writes a file that is not there yet. It is on the medium when this returns.
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

    /// Writes a file in the place of what was there: who reads it has the one or the other, whole, whatever happens
    /// meanwhile.
    public static func replace(_ path: String, _ bytes: [UInt8], mode: mode_t) throws(DurableFileError) {
        let beside = "\(path).\(getpid()).new"
        // Of one of our number that was killed.
        unlink(beside)
        do throws(DurableFileError) { try create(beside, bytes, mode: mode) } catch {
            guard case .cannotWrite(_, let code) = error else { throw error }
            throw .cannotWrite(path, code)
        }
        guard rename(beside, path) == 0 else {
            let code = errno
            unlink(beside)
            throw .cannotWrite(path, code)
        }
        try synchroniseFolder(of: path)
    }

    /// Whether there is anything under this name, be it a link that leads nowhere.
    public static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// Makes a folder for its owner alone, and those above it, where they are not there.
    public static func makeFolder(_ path: String) throws(DurableFileError) {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw .cannotWrite(path, errorNumber(error))
        }
    }

    /// The system's number for why Foundation could not write.
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
        // Some file systems cannot, and need not.
        guard fsync(folder) == 0 || errno == EINVAL else { throw .cannotWrite(path, errno) }
    }

    /// The folder that a file is in, or would be.
    public static func folder(of path: String) -> String {
        URL(filePath: path).deletingLastPathComponent().path
    }
}

/// Nobody else changes the files of a folder who asks for this first, until it is gone.
public final class FolderLock {
    private let descriptor: Int32

    /// The folder that the file `path` is in.
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
    /// With the system's number for the reason (errno).
    case cannotRead(String, Int32)
    case cannotWrite(String, Int32)
    /// A secret that others than its owner may read.
    case tooOpen(String)
    /// A folder, a device.
    case notPlain(String)
    case tooLong(String)
    /// It was not overwritten.
    case exists(String)
    /// Another process is changing files there.
    case busy(String)
}
