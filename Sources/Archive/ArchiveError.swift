import FixedMemory
import LogContents

public enum ArchiveError: Error, Equatable, Sendable {
    /// SQLite reported an error; `reason` is its message.
    case database(path: String, reason: String)
    /// Another process holds the file.
    case busy(path: String)
    /// A folder has the name `path`.
    case folder(path: String)
    /// The user may not read the file, or not write into it or into its folder.
    case forbidden(path: String, access: Archive.Access)
    /// The file system has no room left.
    case full(path: String)
    /// The file at `path` is not an archive, or it is damaged.
    case noArchive(path: String)
    /// No archive exists at `path`, and the caller asked not to create one.
    case absent(path: String)
    /// A later version of this program wrote the archive.
    case tooNew(path: String)
    /// A version before 0.1 wrote the archive.
    case tooOld(path: String)
    /// An earlier version wrote the archive, and an ``ArchiveUpgrade`` has to come first.
    case outdated(path: String)
    /// Pages were decrypted with keys that are not at hand, and have to be decrypted again.
    case keysMissing(path: String, fingerprints: [Bytes<16>])
    /// The upgrade cannot keep the earlier archive, because another file has the name `path`.
    case kept(path: String)
    /// The offered bytes do not continue the stored part of the segment.
    case discontinuous(segment: UInt32, storedByteCount: Int, offset: Int)
    case unknownBoard(LogIdentity)
    /// The board served more different versions of its log than an archive keeps.
    case tooManyBranches(LogIdentity)
    /// The archive vouches for another key of this board than the operator's list has.
    case otherBoardKey(String)
    /// An untrusted board claims the identity of a board that is trusted already.
    case trustedAlready(LogIdentity)
}
