import FixedMemory
import Foundation
import GRDB
import LogContents

/// A period in which a board served an identity that names it, by which others recognise the board.
public struct ServedIdentity: Sendable {
    public let board: LogIdentity
    public let identity: Identity
    /// The boot without a wall clock from which its times count; nil if they are on the wall clock.
    public let boot: UInt64?
    public let start: TimelinePoint
    public let end: TimelinePoint
    /// The worst error of both times; nil if unknown or not on the wall clock.
    public let error: Interval?
}

/// A board with the number of its row, which orders the boards of a contact.
public struct NumberedBoard: Sendable {
    public let number: Int64
    public let board: LogIdentity
}

extension Archive {
    /// Calls `body` with each period in which a board served an identity, in order of time; those without a
    /// wall clock are last. Only one is in memory at a time.
    ///
    /// - Parameter body: says whether the next one is wanted.
    public func forEachServedIdentity(_ body: (ServedIdentity) -> Bool) throws(ArchiveError) {
        try reading { database in
            // An untrusted board that served an identity makes it ambiguous, too.
            let stored = try Row.fetchAll(database, sql: "SELECT id, logIdentity FROM board")
            let boards = stored.reduce(into: [Int64: LogIdentity]()) {
                $0[$1["id"]] = LogIdentity(blob: $1["logIdentity"])
            }
            let rows = try Row.fetchCursor(
                database,
                sql: """
                    SELECT \(ServedPeriod.columns), boardID FROM servedIdentity
                    ORDER BY boot IS NOT NULL, startMilliseconds, endMilliseconds, boardID, bootID, place
                    """)
            while let row = try rows.next() {
                guard let board = boards[row["boardID"]] else { continue }
                let period = ServedPeriod(row: row)
                let served = ServedIdentity(
                    board: board, identity: period.identity, boot: period.boot, start: period.start,
                    end: period.end, error: period.error)
                guard body(served) else { return }
            }
        }
    }

    /// The trusted boards in the order of their numbers.
    public func numberedBoards() throws(ArchiveError) -> [NumberedBoard] {
        try reading { database in
            try identitiesOfBoards(in: database).sorted { $0.key < $1.key }
                .map { NumberedBoard(number: $0.key, board: $0.value) }
        }
    }
}
