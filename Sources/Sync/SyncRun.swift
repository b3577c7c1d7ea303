import DeviceSync
import EncounterLog
import LogContents

/// One run of a synchronisation: the board, the branch into which its log goes, and the segments to fetch.
struct SyncRun {
    let board: ProvenBoard
    /// Changes if the run begins a branch.
    var branch: Int
    /// The segments of the board's index, as far as the board's signed statement covers them.
    let segments: [SyncIndexSegment]
    /// The position of the oldest byte that the run has fetched; nil before it has fetched any.
    private(set) var fetchedFrom: LogPosition?
    /// The complete segments that the run has fetched, and whose hash on the board matches.
    var comparedSegments: [UInt32] = []

    init(board: ProvenBoard, branch: Int, segments: [SyncIndexSegment]) {
        self.board = board
        self.branch = branch
        self.segments = segments
    }

    /// The identity under which the archive keeps the board.
    var identity: LogIdentity { board.identity }

    mutating func willFetch(segment ordinal: UInt32, at offset: Int) {
        let position = LogPosition(segmentOrdinal: ordinal, byteOffset: UInt32(clamping: offset))
        fetchedFrom = min(fetchedFrom ?? position, position)
    }
}
