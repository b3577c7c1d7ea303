import Foundation

/// The temporary files of SQLite, which have no name while they are open.
public enum TemporaryFiles {
    /// The folder, chosen as SQLite chooses it (https://www.sqlite.org/tempfiles.html, section 5).
    public static var folder: String {
        let environment = ProcessInfo.processInfo.environment
        let folders =
            [environment["SQLITE_TMPDIR"], environment["TMPDIR"]].compactMap(\.self)
            + ["/var/tmp", "/usr/tmp", "/tmp"]
        return folders.first(where: isUsable) ?? "."
    }

    private static func isUsable(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
            && access(path, W_OK | X_OK) == 0
    }
}
