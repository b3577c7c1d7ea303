import Archive
import BoardLink
import Cryptography
import DeviceSync
import FixedMemory
import LogContents

/// The branch of a board's log that a session continues, or begins.
enum BranchChoice: Equatable {
    case stored(Int)
    /// The board serves other bytes of segment `firstOrdinal` than `parent` has.
    case new(parent: Int, firstOrdinal: UInt32)

    /// The stored branch that has all segments before the new ones.
    var base: Int {
        switch self {
        case .stored(let branch): branch
        case .new(let parent, _): parent
        }
    }

    /// The first segment that the choice itself wants; nil if it wants none.
    var firstOrdinal: UInt32? {
        if case .new(_, let ordinal) = self { ordinal } else { nil }
    }
}

/// Finds the stored branch that a board's log continues, before anything of it is stored.
///
/// A log only ever grows, and each page contains a hash of all before it. So the newest stored segment
/// decides: if the board still has exactly these bytes, everything before them is the same too.
struct BranchFinder {
    enum Match: Equatable {
        /// The board's log continues the branch.
        case same
        /// The board no longer has any stored segment, so nothing can be compared.
        case unknown
        /// The board's log differs from this stored segment on.
        case differs(UInt32)
    }

    let client: BoardClient
    let archive: Archive
    let board: ProvenBoard

    /// The branch that the board's log continues, or where it leaves all of them.
    func find() throws(SyncError) -> BranchChoice {
        guard let statement = board.statement,
            try storing({ () throws(ArchiveError) in try archive.contains(board.identity) })
        else { return .stored(LogBranch.main) }
        var unknown: Int?
        var closest: (parent: Int, ordinal: UInt32)?
        for branch in try candidates() {
            switch try match(branch, statement) {
            case .same: return .stored(branch)
            case .unknown: unknown = unknown ?? branch
            case .differs(let ordinal):
                if ordinal >= closest?.ordinal ?? 0 { closest = (branch, ordinal) }
            }
        }
        guard unknown == nil, let closest else { return .stored(unknown ?? LogBranch.main) }
        return .new(parent: closest.parent, firstOrdinal: closest.ordinal)
    }

    /// All branches, the one that the board served last first.
    private func candidates() throws(SyncError) -> [Int] {
        try storing { () throws(ArchiveError) in
            let current = try archive.currentBranch(of: board.identity)
            let all = [LogBranch.main] + (try archive.branches(of: board.identity)).map(\.number)
            return [current] + all.reversed().filter { $0 != current }
        }
    }

    private func match(_ branch: Int, _ statement: LogStatement) throws(SyncError) -> Match {
        let stored = try storing { () throws(ArchiveError) in
            try archive.segments(of: board.identity, branch: branch)
        }.filter { $0.byteCount > $0.changedByteCount }
        guard let newest = stored.last else { return .same }
        guard newest.ordinal >= statement.oldestSegmentOrdinal else { return .unknown }
        switch try isSame(newest, branch, statement) {
        case true?: return .same
        case nil: return .unknown
        case false?: break
        }
        // Every segment before the first that differs is the same, and none after it.
        let comparable = stored.filter { $0.ordinal >= statement.oldestSegmentOrdinal }
        var low = 0
        var high = comparable.count - 1
        while low < high {
            let middle = (low + high) / 2
            guard let same = try isSame(comparable[middle], branch, statement) else { return .unknown }
            if same { low = middle + 1 } else { high = middle }
        }
        return .differs(comparable[high].ordinal)
    }

    /// Whether the board has the stored bytes of a segment; nil if it has erased them meanwhile.
    private func isSame(
        _ segment: StoredSegment, _ branch: Int, _ statement: LogStatement
    ) throws(SyncError) -> Bool? {
        // An earlier image of a card ends before the stored log.
        guard segment.ordinal <= statement.head.segmentOrdinal else { return false }
        let start = segment.changedByteCount
        let digest: Bytes<32>?
        do throws(LinkError) {
            digest = try client.digest(
                of: .segment(segment.ordinal), from: UInt64(start),
                byteCount: UInt64(segment.byteCount - start))
        } catch {
            guard case .refused(_, let refusal) = error else { throw .link(error) }
            return refusal == .fileNotFound ? nil : false
        }
        let bytes = try storing { () throws(ArchiveError) in
            try archive.bytes(ofSegment: segment.ordinal, of: board.identity, branch: branch)
        }
        return SHA256.digest(of: bytes.span.extracting(start...)) == digest
    }
}
