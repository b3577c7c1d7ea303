import EncounterLog
import GRDB

/// Erased ranges, as boards report them.
extension Archive {
    /// The board's erased ranges, in log order.
    func gaps(ofBoard board: Int64, in database: Database) throws -> [LogGap] {
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT gap.*,
                    (SELECT count(DISTINCT ordinal) FROM segment WHERE segment.boardID = boot.boardID
                        AND ordinal >= gap.firstSegmentOrdinal
                        AND ordinal < gap.firstSegmentOrdinal + segmentCount)
                        AS storedSegmentCount
                FROM gap JOIN boot ON boot.id = bootID
                WHERE boardID = ? ORDER BY gap.firstSegmentOrdinal, monotonicMilliseconds
                """, arguments: [board])
        let firstKept = try firstKeptOrdinal(ofBoard: board, in: database)
        return rows.map { row in
            let entry = GapEntry(row: row)
            let stored: Int = row["storedSegmentCount"]
            // The archive may itself have forgotten segments of this range; they do not count as missing.
            let forgotten = max(0, firstKept - Int64(entry.firstSegmentOrdinal))
            return LogGap(
                entry, missingSegmentCount: max(0, Int(entry.segmentCount) - stored - Int(forgotten)))
        }
    }
}

extension PageImporter {
    func insert(_ entry: GapEntry, boot: Int64) throws {
        try run(
            sql: """
                INSERT OR IGNORE INTO gap (bootID, monotonicMilliseconds, cause, isAcknowledged,
                    firstSegmentOrdinal, segmentCount, byteCount, knowledge, entryCount, firstBootIdentifier,
                    firstMilliseconds, lastBootIdentifier, lastMilliseconds)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                boot, time(entry.instant), entry.cause.rawValue, entry.isAcknowledged,
                entry.firstSegmentOrdinal, entry.segmentCount, Int64(min(entry.byteCount, 1 << 52)),
                entry.knowledge, entry.entryCount, Int64(bitPattern: entry.first.bootIdentifier),
                time(entry.first.instant), Int64(bitPattern: entry.last.bootIdentifier),
                time(entry.last.instant),
            ])
    }
}

extension GapEntry {
    fileprivate init(row: Row) {
        func moment(_ end: String) -> SegmentSummary.Moment {
            let boot: Int64 = row["\(end)BootIdentifier"]
            return SegmentSummary.Moment(
                bootIdentifier: UInt64(bitPattern: boot), instant: row["\(end)Milliseconds"])
        }
        self.init(
            cause: GapCause(rawValue: row["cause"]), isAcknowledged: row["isAcknowledged"],
            segmentOrdinal: row["firstSegmentOrdinal"], byteCount: row["byteCount"])
        instant = row["monotonicMilliseconds"]
        segmentCount = row["segmentCount"]
        knowledge = row["knowledge"]
        entryCount = row["entryCount"]
        first = moment("first")
        last = moment("last")
    }
}
