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
    let archive: Archive
    let database: Database
    let touched = TouchedTracks()

    /// Writes the rows of a segment's pages that are new, that these keys decrypt, or whose standing has
    /// changed.
    func decodePages(
        ofSegment segmentID: Int64, _ judged: [Int: JudgedSegments.Page]
    ) throws -> ImportSummary {
        var summary = ImportSummary()
        let known = try knownPages(ofSegment: segmentID)
        guard judged.contains(where: { isNews($1, known[$0]) }) else { return summary }
        let ordinal = try UInt32.fetchOne(
            database, sql: "SELECT ordinal FROM segment WHERE id = ?", arguments: [segmentID])
        guard let ordinal else { return summary }
        // Pages are decoded in order, so the end of the last decoded page is where decoding continues.
        let decodedByteCount = known.map { $0.key + $0.value.byteCount }.max() ?? 0
        let contents = try archive.contents(ofSegment: segmentID, keys: keys, in: database)
        for page in contents.pages {
            // The rest of the page arrives with the next fetch.
            if contents.isCutShort(page) { break }
            let before = known[page.byteOffset]
            guard let verdict = judged[page.byteOffset], isNews(verdict, before),
                before != nil || page.byteOffset >= decodedByteCount
            else { continue }
            let isOurs = page.logIdentity == nil || page.logIdentity == board
            let damage = isOurs ? page.damage?.sentence : "the page belongs to another log"
            let isDecoded = archive.admission.admits(verdict.standing)
            try insert(
                page, verdict.standing, isDecoded: isDecoded, isOurs: isOurs, damage: damage,
                segmentID: segmentID, ordinal: ordinal)
            if isDecoded { summary.entryCount += page.entries.count }
            guard before?.isLocked ?? true else { continue }
            summary.pageCount += 1
            summary.damagedPageCount += damage == nil ? 0 : 1
            if page.isLocked, let key = page.sealedFor { summary.lockedPages.add(1, for: key) }
        }
        return summary
    }

    /// True if a page was decoded that is no longer proven.
    func isContradicted(by judged: JudgedSegments) throws -> Bool {
        for (segment, pages) in judged.pages {
            for (offset, known) in try knownPages(ofSegment: segment) {
                guard !known.isLocked, archive.admission.admits(known.standing),
                    let standing = pages[offset]?.standing
                else { continue }
                if !archive.admission.admits(standing) { return true }
            }
        }
        return false
    }

    private struct KnownPage {
        let byteCount: Int
        let isLocked: Bool
        let standing: PageStanding?
    }

    private func knownPages(ofSegment segment: Int64) throws -> [Int: KnownPage] {
        let rows = try Row.fetchAll(
            database.cachedStatement(
                sql: "SELECT byteOffset, byteCount, isLocked, standing FROM page WHERE segmentID = ?"),
            arguments: [segment])
        return Dictionary(
            rows.map { row in
                let standing: Int? = row["standing"]
                return (
                    row["byteOffset"],
                    KnownPage(
                        byteCount: row["byteCount"], isLocked: row["isLocked"],
                        standing: standing.flatMap(PageStanding.init(rawValue:)))
                )
            }, uniquingKeysWith: { first, _ in first })
    }

    /// True if the row of a page has to be written. A page that was opened and left out, and is covered now,
    /// becomes locked if its key is not at hand.
    private func isNews(_ judged: JudgedSegments.Page, _ known: KnownPage?) -> Bool {
        guard let known else { return true }
        guard judged.standing == .locked, !known.isLocked else { return judged.standing != known.standing }
        return !archive.admission.admits(known.standing)
            && (judged.isCovered || archive.admission == .unverified)
    }

    private func insert(
        _ page: PageContents, _ standing: PageStanding?, isDecoded: Bool, isOurs: Bool, damage: String?,
        segmentID: Int64, ordinal: UInt32
    ) throws {
        let entries = standing == .forged ? [] : page.entries
        try run(
            sql: """
                INSERT OR REPLACE INTO page (segmentID, byteOffset, byteCount, sequence, bootIdentifier,
                    entryCount, isLocked, damage, sealedFor, latestMilliseconds, standing)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                segmentID, page.byteOffset, page.byteCount,
                page.sequenceNumber.map { Int64(bitPattern: $0) },
                page.bootIdentifier.map { Int64(bitPattern: $0) }, entries.count, standing == .locked,
                damage, page.sealedFor.map { Data(copying: $0.span) },
                entries.map(\.latestInstant).max(), standing?.rawValue,
            ])
        guard isDecoded, let identifier = page.bootIdentifier, !entries.isEmpty else { return }
        let boot = try bootID(identifier, ordinal: ordinal, byteOffset: page.byteOffset)
        touched.add(boot: boot)
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
        touched.add(track: number, boot: boot)
        return try rowID(
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
