import EncounterLog
import GRDB
import LogContents

extension Archive {
    /// Marks fetched segments as verified if their pages chain to the end of the log. The board's hash alone
    /// does not suffice: somebody between board and computer may have changed both. If the board cannot read
    /// its own pages, the chain is broken as well; then the hash of the next run decides.
    ///
    /// - Parameters:
    ///   - start: the oldest position that was fetched.
    ///   - compared: the complete segments whose hash on the board matched.
    /// - Returns: the segments that do not chain to the end, in order.
    public func verifyFetchedPart(
        of board: LogIdentity, branch: Int, from start: LogPosition, compared: [UInt32]
    ) throws(ArchiveError) -> [UInt32] {
        try transaction { database in
            let row = try boardID(board, in: database)
            let line = try line(ofBoard: row, branch, in: database)
            // The segment before shows whether the first fetched page continues from it.
            let segments = try segmentRows(
                of: line, ofBoard: row, from: start.segmentOrdinal - min(start.segmentOrdinal, 1),
                in: database)
            var verifier = LogVerifier(board: board, boardKeys: [])
            for (index, segment) in segments.enumerated() {
                verifier.add(
                    try contents(ofSegment: segment.id, keys: [], in: database),
                    isLast: index == segments.count - 1)
            }
            let end = verifier.startOfUnbrokenPart(notBefore: start) ?? start
            var unchained: [UInt32] = []
            for segment in segments where segment.ordinal >= start.segmentOrdinal {
                if LogPosition(segmentOrdinal: segment.ordinal, byteOffset: 0) < end, end > start {
                    unchained.append(segment.ordinal)
                } else if compared.contains(segment.ordinal) {
                    try database.execute(
                        sql: "UPDATE segment SET isVerified = TRUE WHERE id = ?", arguments: [segment.id])
                }
            }
            return unchained
        }
    }
}
