import EncounterLog
import FixedMemory
import GRDB

extension Archive {
    /// The missing parts of the log: segments missing between fetched ones, damaged pages, and locked pages.
    func holes(ofBoard board: Int64, in database: Database) throws -> [LogHole] {
        let line = try line(ofBoard: board, in: database)
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT ordinal, page.isLocked AS isLocked, damage, bootIdentifier, latestMilliseconds
                FROM page JOIN segment ON segment.id = segmentID
                WHERE boardID = ? AND \(line.condition) ORDER BY ordinal, byteOffset
                """, arguments: [board])
        var found: [LogHole] = []
        var last: LogHole.Moment?
        // Ordinals begin at 0, so a first segment with a later ordinal means that earlier ones are missing.
        var lastOrdinal = try firstKeptOrdinal(ofBoard: board, in: database) - 1
        var open: LogHole.Kind?
        while let row = try rows.next() {
            let ordinal: Int64 = row["ordinal"]
            if ordinal > lastOrdinal + 1 { open = .overwritten }
            lastOrdinal = ordinal
            let damage: String? = row["damage"]
            // A failed write may leave a blank page. The board wrote the same entries again in a later page,
            // so nothing is missing.
            if damage == LogError.blankPage.sentence { continue }
            guard damage == nil else {
                open = open ?? .damaged
                continue
            }
            let isLocked: Bool = row["isLocked"]
            if isLocked {
                open = open ?? .locked
                continue
            }
            let moment = LogHole.Moment(row)
            if let kind = open { found.append(LogHole(kind: kind, before: last, after: moment)) }
            open = nil
            last = moment
        }
        if let kind = open { found.append(LogHole(kind: kind, before: last, after: nil)) }
        return found
    }
}

extension LogHole.Moment {
    /// The latest time in a page; nil if the page contains no time.
    fileprivate init?(_ row: Row) {
        guard let boot: Int64 = row["bootIdentifier"], let latest: Instant = row["latestMilliseconds"] else {
            return nil
        }
        self.init(boot: UInt64(bitPattern: boot), instant: latest)
    }
}
