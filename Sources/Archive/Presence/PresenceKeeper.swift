import FixedMemory
import Foundation
import GRDB

/// Makes the rows of the table `presence` anew for the times that an import has touched.
struct PresenceKeeper {
    /// A longer encounter is with a device that stays, or comes of a wrong clock, so it does not count.
    static let longestEncounter = Interval.days(7)

    let database: Database

    func update(_ touched: TouchedTimes) throws {
        let slots = touched.slotsByBoard
        let boards = slots.keys.sorted()
        // One pass over all boards, unless it would count much more than what is touched.
        if boards.count == 1 || touched.isSparse {
            for board in boards {
                for range in slots[board] ?? [] { try update([board], range) }
            }
        } else if let hull = touched.hull {
            try update(boards, hull)
        }
        touched.removeAll()
    }

    /// - Parameter slots: numbers of quarters of an hour.
    private func update(_ boards: [Int64], _ slots: Range<Int64>) throws {
        let length = Int64(PresenceSlot.length.milliseconds)
        let times = slots.lowerBound * length..<slots.upperBound * length
        let list = JSONList.text(boards)
        try database.cachedStatement(
            sql: """
                DELETE FROM presence WHERE boardID IN (SELECT value FROM json_each(?))
                    AND startMilliseconds >= ? AND startMilliseconds < ?
                """
        ).execute(arguments: [list, times.lowerBound, times.upperBound])
        var current: Int64?
        var sweep = PresenceSweep(from: times.lowerBound)
        let events = try events(ofBoards: list, in: times)
        while let row = try events.next() {
            let board: Int64 = row[4]
            if board != current {
                if let current { try finish(&sweep, current, at: times.upperBound) }
                current = board
                sweep = PresenceSweep(from: times.lowerBound)
            }
            let event = PresenceEvent(row: row)
            guard event.time < times.upperBound else { continue }
            sweep.next(event)
            try store(&sweep, board)
        }
        if let current { try finish(&sweep, current, at: times.upperBound) }
    }

    private func finish(_ sweep: inout PresenceSweep, _ board: Int64, at end: Int64) throws {
        sweep.finish(at: end)
        try store(&sweep, board)
    }

    private func store(_ sweep: inout PresenceSweep, _ board: Int64) throws {
        guard !sweep.slots.isEmpty else { return }
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO presence (boardID, startMilliseconds, peerCount, boardCount, peakCount,
                    presentMilliseconds, arrivalCount, departureCount, errorMilliseconds)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """)
        for slot in sweep.slots {
            try statement.execute(
                arguments: [
                    board, slot.start, slot.peerCount, slot.boardCount, slot.peakCount,
                    slot.presentMilliseconds, slot.arrivalCount, slot.departureCount, slot.errorMilliseconds,
                ])
        }
        sweep.slots = []
    }

    /// The arrivals and departures of the peers of boards, board by board and in order of time.
    ///
    /// - Parameter boards: a JSON list.
    private func events(ofBoards boards: String, in times: Range<Int64>) throws -> RowCursor {
        let span = OverlapQuery(
            of: "encounter", where: "boot IS NULL",
            since: WallClockTime(clamping: times.lowerBound), until: WallClockTime(clamping: times.upperBound)
        )
        return try Row.fetchCursor(
            database,
            sql: """
                WITH near AS (
                    SELECT boardID, startMilliseconds AS start, endMilliseconds AS stop, errorMilliseconds AS error,
                        firstBoot || '/' || firstTrack AS track, hex(likeness) AS identity,
                        (SELECT 'board ' || min(otherBoardID) FROM sighting
                            WHERE encounterID = encounter.id AND certainty = :served) AS board
                    FROM \(span.source) AND boardID IN (SELECT value FROM json_each(:boards))
                        AND readingCount > 0
                        AND endMilliseconds - startMilliseconds <= :longest)
                SELECT start AS time, TRUE AS isArrival, coalesce(board, track), error, boardID,
                    coalesce(board, identity) FROM near
                UNION ALL SELECT stop, FALSE, coalesce(board, track), error, boardID, coalesce(board, identity)
                    FROM near
                ORDER BY boardID, time, isArrival DESC
                """,
            arguments: span.arguments + [
                "boards": boards, "served": ContactCertainty.served.rawValue,
                "longest": Self.longestEncounter,
            ])
    }
}
