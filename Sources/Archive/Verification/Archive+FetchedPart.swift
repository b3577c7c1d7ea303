import EncounterLog
import GRDB
import LogContents

extension Archive {
    /// Checks the chain of fetched segments. They are complete then, and verified if their hash matched and
    /// their pages chain to the end of the log. The hash of the next run decides about the others.
    ///
    /// - Parameters:
    ///   - logIdentity: the log identity that the pages name.
    ///   - start: the oldest position that was fetched.
    ///   - end: the end of the log that the board has signed; nil for a board without a key.
    ///   - oldest: the oldest segment that the board has.
    ///   - matches: the closed segments that were fetched, and whether their hash on the board matched.
    /// - Returns: the segments that do not chain to the end, in order.
    public func verifyFetchedPart(
        of board: LogIdentity, naming logIdentity: LogIdentity, branch: Int, from start: LogPosition,
        to end: LogHead?, oldest: UInt32, matches: [UInt32: Bool]
    ) throws(ArchiveError) -> [UInt32] {
        let unchained = try reading { database in
            let row = try boardID(board, in: database)
            let line = try line(ofBoard: row, branch, in: database)
            let previous = try UInt32.fetchOne(
                database,
                sql: """
                    SELECT max(ordinal) FROM segment
                    WHERE boardID = ? AND ordinal < ? AND \(line.condition)
                    """, arguments: [row, start.segmentOrdinal])
            let segments = try segmentRows(
                of: line, ofBoard: row, from: previous ?? start.segmentOrdinal, in: database)
            var verifier = LogVerifier(board: logIdentity, boardKeys: [])
            try add(segments, to: &verifier, in: database)
            return FetchedPart(
                records: verifier.records, start: start, end: end,
                oldestOrdinal: max(oldest, try firstKeptOrdinal(of: board, in: database))
            ).unchainedSegments
        }
        try transaction { database in
            for ordinal in unchained {
                try mark(ordinal, of: board, branch, isVerified: false, in: database)
            }
            for (ordinal, isMatch) in matches {
                try mark(
                    ordinal, of: board, branch, isComplete: true,
                    isVerified: isMatch && !unchained.contains(ordinal), in: database)
            }
        }
        return unchained
    }
}
