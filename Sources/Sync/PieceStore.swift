import Archive
import FixedMemory
import LogContents

/// Collects pieces of a segment and stores several in one transaction, because each transaction waits for the
/// disk.
struct PieceStore {
    private static let largestByteCount = 64 << 10
    /// The longest time that pieces wait in memory. An interrupted run repeats no more than this on a slow
    /// line.
    private static let longest = Interval.milliseconds(250)

    private let archive: Archive
    private let run: SyncRun
    private let segment: UInt32
    private var offset: Int
    private var waiting: [UInt8] = []
    private var waitingSince = Instant.start

    init(archive: Archive, run: SyncRun, segment: UInt32, offset: Int) {
        self.archive = archive
        self.run = run
        self.segment = segment
        self.offset = offset
    }

    /// The offset at which the next piece begins.
    var endOffset: Int { offset + waiting.count }

    mutating func append(_ piece: [UInt8], now: Instant) throws(ArchiveError) {
        if waiting.isEmpty { waitingSince = now }
        waiting += piece
        guard
            waiting.count >= Self.largestByteCount
                || now >= waitingSince + Self.longest
        else { return }
        try flush()
    }

    /// Writes all waiting pieces to the disk.
    mutating func flush() throws(ArchiveError) {
        guard !waiting.isEmpty else { return }
        try archive.append(waiting, at: offset, segment: segment, of: run.identity, branch: run.branch)
        offset += waiting.count
        waiting = []
    }
}
