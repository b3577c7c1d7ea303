import EncounterLog
import GRDB

extension Archive {
    /// Where segments are missing between those that were fetched, or pages cannot be read.
    func holes(ofBoard board: Int64, in database: Database) throws -> [LogHole] {
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT segmentID, ordinal, byteOffset, damage
                FROM page JOIN segment ON segment.id = segmentID
                WHERE boardID = ? ORDER BY ordinal, byteOffset
                """, arguments: [board])
        var found: [(kind: LogHole.Kind, before: PagePlace?, after: PagePlace?)] = []
        var last: PagePlace?
        var lastOrdinal: Int64 = -1
        var open: LogHole.Kind?
        while let row = try rows.next() {
            let place = PagePlace(row)
            // Ordinals count up from 0.
            if place.ordinal > lastOrdinal + 1 { open = .overwritten }
            lastOrdinal = place.ordinal
            let damage: String? = row["damage"]
            // A write that failed and left no trace: its entries were written again behind it.
            if damage == LogError.blankPage.sentence { continue }
            guard damage == nil else {
                open = open ?? .damaged
                continue
            }
            if let kind = open { found.append((kind, last, place)) }
            open = nil
            last = place
        }
        if let kind = open { found.append((kind, last, nil)) }
        return try found.map { hole in
            LogHole(
                kind: hole.kind, before: try hole.before.flatMap { try moment(of: $0, in: database) },
                after: try hole.after.flatMap { try moment(of: $0, in: database) })
        }
    }

    private func moment(of place: PagePlace, in database: Database) throws -> LogHole.Moment? {
        try contents(ofSegment: place.segment, in: database).pages
            .first { $0.byteOffset == place.byteOffset }
            .flatMap(LogHole.Moment.init)
    }
}

/// A page of a stored segment.
private struct PagePlace {
    let segment: Int64
    let ordinal: Int64
    let byteOffset: Int

    init(_ row: Row) {
        segment = row["segmentID"]
        ordinal = row["ordinal"]
        byteOffset = row["byteOffset"]
    }
}
