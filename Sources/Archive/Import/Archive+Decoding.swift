import Foundation
import GRDB
import LogContents

extension Archive {
    /// Judges every stored page, and decodes those that a signature covers and that are not decoded yet:
    /// with these keys locked ones too. An unreadable page is recorded as damaged and affects no other.
    /// Repeating the call has no effect. Pages of an untrusted board are not decoded, so that nothing in them
    /// counts.
    @discardableResult
    public func decodePages(
        of board: LogIdentity, keys: OwnerKeys = .none
    ) throws(ArchiveError) -> ImportSummary {
        _ = try reading { try boardID(board, in: $0) }
        guard try isTrusted(board) else { return ImportSummary() }
        let openers = keys.atWork()
        let isCurrent = try reading { database in
            try standingScope(
                of: board, boardID: boardID(board, in: database), keys: openers, in: database) == nil
        }
        if isCurrent { return ImportSummary() }
        return try transaction { try decodePages(of: board, keys: openers, in: $0) }
    }

    @discardableResult
    func decodePages(
        of board: LogIdentity, keys: [OwnerKey], times: TouchedTimes? = nil, in database: Database,
        afterSegment: () -> Void = {}
    ) throws -> ImportSummary {
        var summary = ImportSummary()
        let row = try boardID(board, in: database)
        guard var scope = try standingScope(of: board, boardID: row, keys: keys, in: database) else {
            return summary
        }
        var judged = try judged(board, boardID: row, scope, keys: keys, in: database)
        let importer = PageImporter(
            board: board, boardID: row, keys: keys, archive: self, database: database)
        if try importer.isContradicted(by: judged) {
            // Rows do not record their pages, so what is no longer proven goes with all others.
            try deleteWhatWasDecoded(ofBoard: row, in: database)
            scope.firstOrdinal = 0
            judged = try self.judged(board, boardID: row, scope, keys: keys, in: database)
        }
        for segment in try segmentIDs(ofBoard: row, in: database) {
            afterSegment()
            guard let pages = judged.pages[segment] else { continue }
            summary.add(try importer.decodePages(ofSegment: segment, pages))
        }
        try record(scope, judged, ofBoard: row, in: database)
        try updateEncounters(ofBoard: row, touched: importer.touched, times: times, in: database)
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
