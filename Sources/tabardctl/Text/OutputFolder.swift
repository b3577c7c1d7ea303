import CommandLineText

/// The destination of several files.
enum OutputFolder {
    /// Refuses a path that is there and no folder.
    static func require(_ path: String) throws(Failure) {
        guard !path.isEmpty else { throw Failure(.usage, "--output: no name; write a folder's name") }
        guard let status = FileStatus(path), !status.isFolder else { return }
        throw Failure(.cannotCreate, "\(path): not a folder; choose another name")
    }
}
