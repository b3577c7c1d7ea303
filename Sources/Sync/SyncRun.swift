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
    /// The start of the part of the log whose chain no earlier run has checked; nil before the first such
    /// segment.
    private(set) var uncheckedFrom: LogPosition?
    /// The closed segments of that part, and whether their hash on the board matches.
    var uncheckedSegments: [UInt32: Bool] = [:]

    /// The identity under which the archive keeps the board.
    var identity: LogIdentity { board.identity }

    mutating func willCheck(segment ordinal: UInt32, from offset: Int) {
        let position = LogPosition(segmentOrdinal: ordinal, byteOffset: UInt32(clamping: offset))
        uncheckedFrom = min(uncheckedFrom ?? position, position)
    }
}
