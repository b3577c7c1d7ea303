import GRDB
import LogContents

/// Pages of one standing that are not in the derived tables.
public struct LeftOutPages: Sendable, Equatable {
    public let standing: PageStanding
    public let pageCount: Int

    public init(standing: PageStanding, pageCount: Int) {
        self.standing = standing
        self.pageCount = pageCount
    }

    /// SQL for whether lists may leave out a page. Each list says how many there are, so they have an index.
    static let condition =
        "standing NOT IN (\(PageStanding.vouched.rawValue), \(PageStanding.locked.rawValue))"
}

extension Archive {
    /// The readable pages of a board that lists leave out, because nothing proves that the board wrote them.
    public func leftOutPages(of board: LogIdentity) throws(ArchiveError) -> [LeftOutPages] {
        try reading { try leftOutPages(ofBoard: try boardID(board, in: $0), in: $0) }
    }

    func leftOutPages(ofBoard board: Int64, in database: Database) throws -> [LeftOutPages] {
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT standing, count(*) AS pageCount
                FROM page CROSS JOIN segment ON segment.id = segmentID
                WHERE boardID = ? AND \(LeftOutPages.condition) GROUP BY standing ORDER BY standing
                """, arguments: [board])
        return rows.compactMap { row in
            guard let standing = PageStanding(rawValue: row["standing"]), !admission.admits(standing) else {
                return nil
            }
            return LeftOutPages(standing: standing, pageCount: row["pageCount"])
        }
    }
}
