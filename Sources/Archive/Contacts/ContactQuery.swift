import FixedMemory
import GRDB
import LogContents

/// The SQL that selects the contacts of a filter.
struct ContactQuery {
    let sql: String
    private(set) var arguments: StatementArguments

    static let columns = """
        boardID, otherBoardID, clockBoot, isOnWallClock, startMilliseconds, endMilliseconds,
        errorMilliseconds, certainty, encounterCount, readingCount, maximumDBm, weightedTenthsDBm, weight,
        otherEncounterCount, otherReadingCount, otherMaximumDBm, otherWeightedTenthsDBm, otherWeight
        """

    /// - Parameter boards: the rows of the boards that the filter admits; nil for all.
    init(_ filter: ContactFilter, boards: [Int64]?) {
        let span = OverlapQuery(
            of: "contact", where: "isOnWallClock", since: filter.since, until: filter.until)
        arguments = span.arguments
        var conditions: [String] = []
        if let boards {
            let list = boards.map(String.init).joined(separator: ", ")
            conditions.append("(boardID IN (\(list)) OR otherBoardID IN (\(list)))")
        }
        if filter.needsBothSides { conditions.append("encounterCount > 0 AND otherEncounterCount > 0") }
        if filter.excludesWritten { conditions.append("certainty <> \(ContactCertainty.written.rawValue)") }
        if let duration = filter.minimumDuration {
            conditions.append("endMilliseconds - startMilliseconds >= :duration")
            arguments += ["duration": duration]
        }
        sql =
            "SELECT \(Self.columns) FROM \(span.source)" + conditions.map { " AND \($0)" }.joined() + """
                 ORDER BY NOT isOnWallClock, startMilliseconds, endMilliseconds, boardID, otherBoardID,
                    certainty, clockBoardID, clockBoot
                """
    }
}

extension BoardContact {
    /// - Parameter row: the columns of ``ContactQuery``.
    init(row: Row, first: LogIdentity, second: LogIdentity) {
        let boot: Int64? = row[2]
        let isOnWallClock: Bool = row[3]
        timeline =
            isOnWallClock
            ? .wallClock(error: row[6]) : .sinceStart(boot: UInt64(bitPattern: boot ?? 0))
        start = TimelinePoint(milliseconds: row[4])
        end = TimelinePoint(milliseconds: row[5])
        certainty = ContactCertainty(rawValue: row[7]) ?? .written
        self.first = Side(row: row, at: 8, board: first)
        self.second = Side(row: row, at: 13, board: second)
    }
}

extension BoardContact.Side {
    fileprivate init(row: Row, at place: Int, board: LogIdentity) {
        let tenths: Int? = row[place + 3]
        let weight: Int? = row[place + 4]
        self.init(
            board: board, encounterCount: row[place], readingCount: row[place + 1],
            maximumDBm: row[place + 2],
            meanDBm: tenths.flatMap { tenths in weight.map { Double(tenths) / (10 * Double(max(1, $0))) } })
    }
}
