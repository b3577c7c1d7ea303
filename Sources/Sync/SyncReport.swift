import Archive
import BoardLink
import LogContents

public enum SyncError: Error, Equatable, Sendable {
    case link(LinkError)
    case archive(ArchiveError)
    /// The caller asked for it; everything so far is kept.
    case stopped
}

/// How far a synchronisation is.
public struct SyncProgress: Sendable, Equatable {
    public let board: LogIdentity
    /// The one being fetched.
    public var segment: UInt32?
    public var fetchedByteCount = 0
    public var totalByteCount = 0

    init(board: LogIdentity) { self.board = board }
}

/// What a synchronisation did.
public struct SyncSummary: Sendable, Equatable {
    public let board: LogIdentity
    public var fetchedByteCount = 0
    /// Closed segments found, by the board's own hash, to be the same here and there.
    public var verifiedSegmentCount = 0
    /// Fetched anew because they differed.
    public var refetchedSegmentCount = 0
    /// Still different after that.
    public var differingSegments: [UInt32] = []
    /// Overwritten by the board before they were fetched.
    public var missedSegmentCount = 0
    /// Of the reading of the board's clock; nil when it could not be read.
    public var clockErrorMilliseconds: Int64?
    /// Whether the board was told what is safe here.
    public var acknowledgement = Acknowledgement.withheld(.noManifest)
    public var decoded = ImportSummary()
    /// Boards that have served the same Herald payload at the same time, as they are called.
    public var namesakes: [String] = []

    init(board: LogIdentity) { self.board = board }
}
