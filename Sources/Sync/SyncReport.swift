import Archive
import BoardLink
import FixedMemory
import LogContents

public enum SyncError: Error, Equatable, Sendable {
    case link(LinkError)
    case archive(ArchiveError)
    /// The device did not prove to be the board that it claims to be. Nothing was stored.
    case impostor(Impostor)
    /// The board's agent restarted during the run; all data so far is kept.
    case restarted
    /// The board sends too little in too much time, or more than a board can have.
    case overLimit(SessionLimit)
    /// The caller stopped the run; all data so far is kept.
    case stopped
}

/// Runs `question` and turns the link's errors into those of a synchronisation.
func asking<Answer>(_ question: () throws(LinkError) -> Answer) throws(SyncError) -> Answer {
    do throws(LinkError) { return try question() } catch { throw .link(error) }
}

/// Runs `work` and turns the archive's errors into those of a synchronisation.
func storing<Answer>(_ work: () throws(ArchiveError) -> Answer) throws(SyncError) -> Answer {
    do throws(ArchiveError) { return try work() } catch { throw .archive(error) }
}

/// The progress of a synchronisation.
public struct SyncProgress: Sendable, Equatable {
    public let board: LogIdentity
    /// The segment that is being fetched.
    public var segment: UInt32?
    public var fetchedByteCount = 0
    public var totalByteCount = 0

    init(board: LogIdentity) { self.board = board }
}

/// The result of a synchronisation.
public struct SyncSummary: Sendable, Equatable {
    /// The identity under which the archive keeps the board.
    public let board: LogIdentity
    /// The log identity that the board claims.
    public var claimed: LogIdentity
    /// True if nobody has trusted the board yet, so that nothing in its log counts.
    public var isUntrusted = false
    /// The fingerprint of the key with which the board proved itself; nil for a board without keys.
    public var keyFingerprint: Bytes<16>?
    public var fetchedByteCount = 0
    /// Complete segments whose hash on the board matches the stored bytes.
    public var verifiedSegmentCount = 0
    /// The segments from which on the board's log differs from the stored one, which also stays.
    public var branchedSegments: [UInt32] = []
    /// Segments that still differ after that.
    public var differingSegments: [UInt32] = []
    /// Segments of this run whose pages do not chain to the signed end of the log. The next run compares them
    /// again.
    public var unchainedSegments: [UInt32] = []
    /// Segments that the board overwrote before they were fetched.
    public var missedSegmentCount = 0
    /// The error of the clock sample; nil if the board's clock could not be read.
    public var clockError: Interval?
    /// Why the board did not set its clock; nil if it did, or was not asked to.
    public var clockRefusal: String?
    /// Whether the stored part of the log was acknowledged to the board.
    public var acknowledgement = Acknowledgement.skipped(.noManifest)
    public var decoded = ImportSummary()
    /// The labels of boards that served the same Herald payload at the same time.
    public var duplicateIdentities: [String] = []
    /// Whether the operator has marked the board as out of service.
    public var isRetired = false

    init(_ board: ProvenBoard) {
        self.board = board.identity
        claimed = board.claimed
        isUntrusted = !board.isTrusted
        keyFingerprint = board.proof?.keys.board.fingerprint
    }
}

/// A limit that a session of an honest board does not reach.
public enum SessionLimit: Equatable, Sendable {
    /// The board sends data too slowly for any serial line.
    case tooSlow
    /// An untrusted board's log is larger than an archive keeps of one.
    case tooLarge
}
