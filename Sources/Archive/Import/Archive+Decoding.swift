import Foundation
import GRDB
import LogContents

extension Archive {
    /// Decodes every stored page that is not decoded yet, and locked pages that these keys decrypt. An
    /// unreadable page is recorded as damaged and affects no other. Repeating the call has no effect. Pages
    /// of an untrusted board are not decoded, so that nothing in them counts.
    @discardableResult
    public func decodePages(
        of board: LogIdentity, keys: OwnerKeys = .none
    ) throws(ArchiveError) -> ImportSummary {
        var summary = ImportSummary()
        let openers = keys.atWork()
        let segments = try reading { database in
            try segmentIDs(ofBoard: try boardID(board, in: database), in: database)
        }
        guard try isTrusted(board) else { return summary }
        for segment in segments {
            summary.add(
                try transaction { database in
                    try PageImporter(
                        board: board, boardID: try boardID(board, in: database), keys: openers,
                        database: database
                    ).decodePages(ofSegment: segment, archive: self)
                })
        }
        return summary
    }

    /// The number of segments of which no page is decoded: an interrupted fetch left them.
    public func waitingSegmentCount(of board: LogIdentity) throws(ArchiveError) -> Int {
        try reading { database in
            try Int.fetchOne(
                database,
                sql: """
                    SELECT count(*) FROM segment JOIN board ON boardID = board.id
                    WHERE logIdentity = ? AND \(Self.isWaiting)
                    """, arguments: [board.blob]) ?? 0
        }
    }

    /// SQL for whether `segment` has bytes and no decoded page.
    private static let isWaiting = """
        NOT EXISTS (SELECT 1 FROM page WHERE segmentID = segment.id)
            AND EXISTS (SELECT 1 FROM chunk WHERE segmentID = segment.id)
        """

    /// Decodes segments of which no page is decoded: after an interrupted fetch.
    func decodeWaitingSegments(keys: OwnerKeys) throws(ArchiveError) {
        let waiting = try reading { database in
            try Data.fetchAll(
                database,
                sql: """
                    SELECT DISTINCT logIdentity FROM board JOIN segment ON boardID = board.id
                    WHERE claimedIdentity IS NULL AND \(Self.isWaiting)
                    """)
        }
        for board in waiting.compactMap(LogIdentity.init(blob:)) { try decodePages(of: board, keys: keys) }
    }
}
