import Foundation

/// The status of a file, reached through symbolic links.
struct FileStatus {
    let device: UInt64
    let inode: UInt64
    let byteCount: Int64
    /// Whether it is neither a folder, nor a pipe, nor a device.
    let isPlain: Bool
    let isFolder: Bool
    /// When the content and the status last changed: seconds and nanoseconds since 1970, with a dot between.
    let contentChange: String
    let statusChange: String

    /// Nil if there is no such file.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = UInt64(truncatingIfNeeded: status.st_dev)
        inode = UInt64(truncatingIfNeeded: status.st_ino)
        byteCount = Int64(status.st_size)
        isPlain = status.st_mode & S_IFMT == S_IFREG
        isFolder = status.st_mode & S_IFMT == S_IFDIR
        contentChange = "\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
        statusChange = "\(status.st_ctim.tv_sec).\(status.st_ctim.tv_nsec)"
    }

    /// Whether two paths lead to one file.
    static func areSame(_ one: String, _ other: String) -> Bool {
        guard let one = FileStatus(one), let other = FileStatus(other) else { return false }
        return one.device == other.device && one.inode == other.inode
    }

    /// Whether SQLite's files beside a database have changes that readers see and the database itself does
    /// not have.
    static func hasPendingTransactions(_ database: String) -> Bool {
        ["-wal", "-journal"].contains { ending in (FileStatus(database + ending)?.byteCount ?? 0) > 0 }
    }
}
