import LogContents

public enum ArchiveError: Error, Equatable, Sendable {
    /// SQLite reported an error; `reason` is its message.
    case database(path: String, reason: String)
    /// The file at `path` is not an SQLite database, or it is damaged.
    case noArchive(path: String)
    /// No archive exists at `path`, and the caller asked not to create one.
    case absent(path: String)
    /// A later version of this program wrote the archive.
    case tooNew(path: String)
    /// The offered bytes do not continue the stored part of the segment.
    case discontinuous(segment: UInt32, storedByteCount: Int, offset: Int)
    case unknownBoard(LogIdentity)
}
