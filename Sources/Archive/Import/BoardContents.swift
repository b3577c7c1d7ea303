import GRDB
import LogContents

/// How much the archive has of one board's log.
public struct BoardContents: Sendable, Equatable {
    public var segmentCount = 0
    /// The size of what was fetched.
    public var byteCount = 0
    public var pageCount = 0
    public var entryCount = 0
    public var damagedPageCount = 0
    /// Locked pages: encrypted, with no key at hand so far.
    public var lockedPageCount = 0
    /// Pages that are not in the lists, because no signature covers them.
    public var leftOut: [LeftOutPages] = []

    public init() {}
}

extension Archive {
    /// Counts the pages of a board, in a time that grows with its log.
    public func contents(of board: LogIdentity) throws(ArchiveError) -> BoardContents {
        try reading { database in
            let id = try boardID(board, in: database)
            let row = try Row.fetchOne(
                database,
                sql: """
                    SELECT (SELECT count(*) FROM segment WHERE boardID = :board) AS segmentCount,
                        (SELECT coalesce(sum(\(Self.storedByteCountOfSegment)), 0) FROM segment
                            WHERE boardID = :board) AS byteCount,
                        count(*) AS pageCount,
                        coalesce(sum(entryCount), 0) AS entryCount,
                        count(damage) AS damagedPageCount,
                        coalesce(sum(page.isLocked), 0) AS lockedPageCount
                    FROM segment JOIN page ON page.segmentID = segment.id WHERE boardID = :board
                    """, arguments: ["board": id])
            var contents = BoardContents()
            guard let row else { return contents }
            contents.segmentCount = row["segmentCount"]
            contents.byteCount = row["byteCount"]
            contents.pageCount = row["pageCount"]
            contents.entryCount = row["entryCount"]
            contents.damagedPageCount = row["damagedPageCount"]
            contents.lockedPageCount = row["lockedPageCount"]
            contents.leftOut = try leftOutPages(ofBoard: id, in: database)
            return contents
        }
    }
}
