import Foundation

/// What the system says about a file, through symbolic links.
struct FileStatus {
    let device: UInt64
    let inode: UInt64

    /// Nil if there is no such file.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = UInt64(truncatingIfNeeded: status.st_dev)
        inode = UInt64(truncatingIfNeeded: status.st_ino)
    }

    /// Whether two paths lead to one file.
    static func areSame(_ one: String, _ other: String) -> Bool {
        guard let one = FileStatus(one), let other = FileStatus(other) else { return false }
        return one.device == other.device && one.inode == other.inode
    }

    /// Whether SQLite's files beside a database have changes that readers see and the database itself does
    /// not have.
    static func hasPendingTransactions(_ database: String) -> Bool {
        ["-wal", "-journal"].contains { ending in
            var status = stat()
            return stat(database + ending, &status) == 0 && status.st_size > 0
        }
    }
}
