import DeviceSync
import LogContents

/// One run of a synchronisation: the board, the branch into which its log goes, and the segments to fetch.
struct SyncRun {
    let board: ProvenBoard
    /// Changes if the run begins a branch.
    var branch: Int
    /// The segments of the board's index, as far as the board's signed statement covers them.
    let segments: [SyncIndexSegment]

    /// The identity under which the archive keeps the board.
    var identity: LogIdentity { board.identity }
}
