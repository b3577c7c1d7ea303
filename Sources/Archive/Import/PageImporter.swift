import EncounterLog
import FixedMemory
import Foundation
import GRDB
import LogContents

/// Writes the entries of pages into the ``DerivedTables``.
struct PageImporter {
    /// The log identity that the board's pages must name.
    let board: LogIdentity
    let boardID: Int64
    let keys: [OwnerKey]
    let database: Database

    func decodePages(ofSegment segmentID: Int64, archive: Archive) throws -> ImportSummary {
        var summary = ImportSummary()
        let row = try Row.fetchOne(
            database,
            sql: """
                SELECT ordinal,
                    (SELECT coalesce(max(byteOffset + byteCount), 0) FROM page
                        WHERE segmentID = segment.id) AS decodedByteCount,
                    \(Archive.storedByteCountOfSegment) AS byteCount
                FROM segment WHERE id = ?
                """, arguments: [segmentID])
        guard let row else { return summary }
        let ordinal: UInt32 = row["ordinal"]
        // Pages are decoded in order, so the end of the last decoded page is where decoding continues.
        let decodedByteCount: Int = row["decodedByteCount"]
        let byteCount: Int = row["byteCount"]
        let offsetsToDecrypt = try offsetsOfPagesToDecrypt(ofSegment: segmentID)
        guard byteCount > decodedByteCount || !offsetsToDecrypt.isEmpty else { return summary }

        let contents = try archive.contents(ofSegment: segmentID, keys: keys, in: database)
        for page in contents.pages {
            if page.byteOffset < decodedByteCount, !offsetsToDecrypt.contains(page.byteOffset) { continue }
            // The rest of the page arrives with the next fetch.
            if contents.isCutShort(page) { break }
            let isOurs = page.logIdentity == nil || page.logIdentity == board
            let damage = isOurs ? page.damage?.sentence : "the page belongs to another log"
            try insert(page, isOurs: isOurs, damage: damage, segmentID: segmentID, ordinal: ordinal)
            summary.pageCount += 1
            summary.entryCount += isOurs ? page.entries.count : 0
            summary.damagedPageCount += damage == nil ? 0 : 1
            if page.isLocked, let key = page.sealedFor { summary.lockedPages.add(1, for: key) }
        }
        return summary
    }

    /// The byte offsets of locked pages that these keys decrypt.
    private func offsetsOfPagesToDecrypt(ofSegment segment: Int64) throws -> Set<Int> {
        var offsets: Set<Int> = []
        for key in keys {
            offsets.formUnion(
                try Int.fetchAll(
                    database.cachedStatement(
                        sql: """
                            SELECT byteOffset FROM page
                            WHERE segmentID = ? AND isLocked AND sealedFor = ?
                            """),
                    arguments: [segment, Data(copying: key.fingerprint.span)]))
        }
        return offsets
    }

    private func insert(
        _ page: PageContents, isOurs: Bool, damage: String?, segmentID: Int64, ordinal: UInt32
    ) throws {
        let entries = isOurs ? page.entries : []
        try run(
            sql: """
                INSERT OR REPLACE INTO page (segmentID, byteOffset, byteCount, sequence, bootIdentifier,
                    entryCount, isLocked, damage, sealedFor, latestMilliseconds)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                segmentID, page.byteOffset, page.byteCount,
                page.sequenceNumber.map { Int64(bitPattern: $0) },
                page.bootIdentifier.map { Int64(bitPattern: $0) }, entries.count, isOurs && page.isLocked,
                damage, page.sealedFor.map { Data(copying: $0.span) },
                isOurs ? page.latestInstant : nil,
            ])
        guard let identifier = page.bootIdentifier, !entries.isEmpty else { return }
        let boot = try bootID(identifier, ordinal: ordinal, byteOffset: page.byteOffset)
        for entry in entries { try insert(entry, boot: boot) }
    }

    private func bootID(_ identifier: UInt64, ordinal: UInt32, byteOffset: Int) throws -> Int64 {
        let boot = try rowID(
            insert: """
                INSERT OR IGNORE INTO boot (boardID, bootIdentifier, firstSegmentOrdinal, firstByteOffset)
                VALUES (?, ?, ?, ?)
                """, [boardID, Int64(bitPattern: identifier), ordinal, byteOffset],
            select: "SELECT id FROM boot WHERE boardID = ? AND bootIdentifier = ?",
            [boardID, Int64(bitPattern: identifier)])
        // Keys may arrive later, so pages may be decoded out of order.
        try run(
            sql: """
                UPDATE boot SET firstSegmentOrdinal = ?, firstByteOffset = ?
                WHERE id = ? AND (firstSegmentOrdinal, firstByteOffset) > (?, ?)
                """, arguments: [ordinal, byteOffset, boot, ordinal, byteOffset])
        return boot
    }

    /// The track's row. The first stored entry of a track creates it, because the entry that began the track
    /// may be lost.
    func trackID(_ number: UInt32, boot: Int64) throws -> Int64 {
        try rowID(
            insert: "INSERT OR IGNORE INTO track (bootID, number) VALUES (?, ?)", [boot, number],
            select: "SELECT id FROM track WHERE bootID = ? AND number = ?", [boot, number])
    }

    private func rowID(
        insert: String, _ values: StatementArguments, select: String, _ key: StatementArguments
    ) throws -> Int64 {
        let known = try Int64.fetchOne(database.cachedStatement(sql: select), arguments: key)
        if let known { return known }
        try run(sql: insert, arguments: values)
        return database.lastInsertedRowID
    }

    /// Executes a cached statement, so that SQLite compiles each statement only once.
    func run(sql: String, arguments: StatementArguments) throws {
        try database.cachedStatement(sql: sql).execute(arguments: arguments)
    }

    /// The time of an entry on the boot's monotonic clock.
    func time(_ instant: Instant) -> Instant { Instant(logged: instant) }
}
