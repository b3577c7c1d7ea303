import Foundation

/// Puts a finished file in the place of another, which stays under a second name.
struct FileSwap: Sendable {
    let path: String
    /// The second name.
    let kept: String

    var replacement: String { path + ".new" }

    /// Whether the second name is free, or names this very file since an interrupted swap.
    func mayKeep() -> Bool {
        guard let other = Self.status(kept) else { return true }
        guard let own = Self.status(path) else { return false }
        return own.st_ino == other.st_ino && own.st_dev == other.st_dev
    }

    /// Creates the replacement, empty, for the same people. An interrupted swap may have left one.
    func createReplacement() throws(ArchiveError) {
        removeReplacement()
        guard let mode = Self.status(path)?.st_mode else { throw failure() }
        let descriptor = open(replacement, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode & 0o777)
        guard descriptor >= 0 else { throw failure() }
        defer { close(descriptor) }
        guard fchmod(descriptor, mode & 0o777) == 0 else { throw failure() }
    }

    func removeReplacement() {
        for ending in ["", "-journal", "-wal", "-shm"] { unlink(replacement + ending) }
    }

    /// Gives the file its second name.
    func keep() throws(ArchiveError) {
        // The journal is empty by now.
        unlink(path + "-journal")
        if Self.status(kept) != nil { return }
        if link(path, kept) != 0 { try keepCopy() }
        try synchroniseFolder()
    }

    /// Not every file system gives a file two names.
    private func keepCopy() throws(ArchiveError) {
        let copy = kept + ".new"
        unlink(copy)
        do {
            try FileManager.default.copyItem(atPath: path, toPath: copy)
        } catch {
            unlink(copy)
            throw .database(path: kept, reason: error.localizedDescription)
        }
        let descriptor = open(copy, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure() }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0, rename(copy, kept) == 0 else { throw failure() }
    }

    /// From now on the name is the replacement's.
    func replace() throws(ArchiveError) {
        guard rename(replacement, path) == 0 else { throw failure() }
    }

    /// Makes the names durable.
    func synchroniseFolder() throws(ArchiveError) {
        let folder = open(
            URL(filePath: path).deletingLastPathComponent().path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw failure() }
        defer { close(folder) }
        // Some file systems cannot synchronise a directory, and do not need to.
        guard fsync(folder) == 0 || errno == EINVAL else { throw failure() }
    }

    private func failure() -> ArchiveError {
        .database(path: path, reason: String(cString: strerror(errno)))
    }

    private static func status(_ path: String) -> stat? {
        var status = stat()
        return lstat(path, &status) == 0 ? status : nil
    }
}
