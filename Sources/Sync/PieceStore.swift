import Archive
import LogContents

/// Pieces of a segment on their way into the archive: some of them in one transaction, since each must reach the disk.
struct PieceStore {
    private static let largestByteCount = 64 << 10
    /// Whoever is killed loses no more of a slow line's time than this.
    private static let longestMilliseconds: UInt64 = 250

    private let archive: Archive
    private let board: LogIdentity
    private let segment: UInt32
    private var offset: Int
    private var waiting: [UInt8] = []
    private var waitingSinceMilliseconds: UInt64 = 0

    init(archive: Archive, board: LogIdentity, segment: UInt32, offset: Int) {
        self.archive = archive
        self.board = board
        self.segment = segment
        self.offset = offset
    }

    /// Where the next piece begins.
    var endOffset: Int { offset + waiting.count }

    mutating func append(_ piece: [UInt8], nowMilliseconds now: UInt64) throws(ArchiveError) {
        if waiting.isEmpty { waitingSinceMilliseconds = now }
        waiting += piece
        guard
            waiting.count >= Self.largestByteCount
                || now >= waitingSinceMilliseconds + Self.longestMilliseconds
        else { return }
        try flush()
    }

    /// Whatever waits, onto the disk.
    mutating func flush() throws(ArchiveError) {
        guard !waiting.isEmpty else { return }
        try archive.append(waiting, at: offset, segment: segment, of: board)
        offset += waiting.count
        waiting = []
    }
}
