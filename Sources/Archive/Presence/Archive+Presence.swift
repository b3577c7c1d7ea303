import FixedMemory
import GRDB
import LogContents

extension Archive {
    /// Calls `body` with each quarter of an hour in which somebody was near, board by board in the order of
    /// registration, and in order of time.
    ///
    /// - Parameters:
    ///   - boards: nil for all.
    ///   - body: says whether the next one is wanted.
    public func forEachPresenceSlot(
        ofBoards boards: Set<LogIdentity>? = nil, since: WallClockTime? = nil, until: WallClockTime? = nil,
        _ body: (PresenceSlot) -> Bool
    ) throws(ArchiveError) {
        try reading { database in
            let identities = try identitiesOfBoards(in: database)
            let length = Int64(PresenceSlot.length.milliseconds)
            for (row, board) in identities.sorted(by: { $0.key < $1.key })
            where boards?.contains(board) ?? true {
                let first = since.map { TimelinePoint($0).milliseconds - length } ?? .min
                let rows = try Row.fetchCursor(
                    database,
                    sql: """
                        SELECT startMilliseconds, peerCount, boardCount, peakCount, presentMilliseconds,
                            arrivalCount, departureCount, errorMilliseconds
                        FROM presence WHERE boardID = ? AND startMilliseconds > ? AND startMilliseconds < ?
                        ORDER BY startMilliseconds
                        """,
                    arguments: [row, first, until.map { TimelinePoint($0).milliseconds } ?? .max])
                while let row = try rows.next() {
                    guard body(PresenceSlot(row: row, board: board)) else { return }
                }
            }
        }
    }
}

extension PresenceSlot {
    fileprivate init(row: Row, board: LogIdentity) {
        self.init(
            board: board, start: row[0], peerCount: row[1], boardCount: row[2], peakCount: row[3],
            presentTime: row[4], arrivalCount: row[5], departureCount: row[6], clockError: row[7])
    }
}
