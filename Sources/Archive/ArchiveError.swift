import LogContents

public enum ArchiveError: Error, Equatable, Sendable {
    /// SQLite refused; `reason` is its own sentence.
    case database(path: String, reason: String)
    /// What is at `path` is no database of SQLite's, or damaged.
    case noArchive(path: String)
    /// There is no archive at `path` and the caller asked not to make one.
    case absent(path: String)
    /// The archive was written by a later version of this program.
    case tooNew(path: String)
    /// The bytes offered do not continue what is stored of the segment.
    case discontinuous(segment: UInt32, storedByteCount: Int, offset: Int)
    case unknownBoard(LogIdentity)
}
