import Archive
import BoardLink
import FixedMemory
import LogContents

public enum SyncError: Error, Equatable, Sendable {
    case link(LinkError)
    case archive(ArchiveError)
    /// The caller stopped the run; all data so far is kept.
    case stopped
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
    public let board: LogIdentity
    public var fetchedByteCount = 0
    /// Complete segments whose hash on the board matches the stored bytes.
    public var verifiedSegmentCount = 0
    /// Segments that were fetched again because their hash differed.
    public var refetchedSegmentCount = 0
    /// Segments that still differ after that.
    public var differingSegments: [UInt32] = []
    /// Segments that the board overwrote before they were fetched.
    public var missedSegmentCount = 0
    /// The error of the clock sample; nil if the board's clock could not be read.
    public var clockError: Interval?
    /// Whether the stored part of the log was acknowledged to the board.
    public var acknowledgement = Acknowledgement.skipped(.noManifest)
    public var decoded = ImportSummary()
    /// The labels of boards that served the same Herald payload at the same time.
    public var duplicateIdentities: [String] = []

    init(board: LogIdentity) { self.board = board }
}
