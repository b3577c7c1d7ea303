import EncounterLog
import FixedMemory
import Foundation
import GRDB
import LogContents

/// The result of decoding the pages that were not decoded yet.
public struct ImportSummary: Sendable, Equatable {
    /// Pages that were decoded for the first time, or were locked before and are decrypted now.
    public var pageCount = 0
    public var entryCount = 0
    public var damagedPageCount = 0
    /// The pages among these that no key at hand decrypts.
    public var closedPages: [ClosedPages] = []

    public init() {}

    fileprivate mutating func add(_ other: ImportSummary) {
        pageCount += other.pageCount
        entryCount += other.entryCount
        damagedPageCount += other.damagedPageCount
        for closed in other.closedPages { closedPages.add(closed.pageCount, for: closed.fingerprint) }
    }
}

extension Archive {
    /// Decodes every stored page that is not decoded yet, and locked pages that these keys decrypt. An
    /// unreadable page is recorded as damaged and affects no other. Repeating the call has no effect.
    @discardableResult
    public func decodePages(
        of board: LogIdentity, keys: OwnerKeys = .none
    ) throws(ArchiveError) -> ImportSummary {
        var summary = ImportSummary()
        let openers = keys.atWork()
        for segment in try segments(of: board) {
            summary.add(
                try transaction { database in
                    try PageImporter(
                        board: board, boardID: try boardID(board, in: database), keys: openers,
                        database: database
                    ).decodePages(ofSegment: segment.ordinal, archive: self)
                })
        }
        return summary
    }

    /// Decodes segments of which no page is decoded: after a migration that cleared the pages, or an
    /// interrupted fetch.
    func decodeWaitingSegments() throws(ArchiveError) {
        let waiting = try reading { database in
            try Data.fetchAll(
                database,
                sql: """
                    SELECT DISTINCT logIdentity FROM board JOIN segment ON boardID = board.id
                    WHERE NOT EXISTS (SELECT 1 FROM page WHERE segmentID = segment.id)
                        AND EXISTS (SELECT 1 FROM chunk WHERE segmentID = segment.id)
                    """)
        }
        for board in waiting.compactMap(LogIdentity.init(blob:)) { try decodePages(of: board) }
    }
}

/// Writes the entries of pages into the decoded tables.
struct PageImporter {
    let board: LogIdentity
    let boardID: Int64
    let keys: [OwnerKey]
    let database: Database

    func decodePages(ofSegment ordinal: UInt32, archive: Archive) throws -> ImportSummary {
        var summary = ImportSummary()
        let row = try Row.fetchOne(
            database,
            sql: """
                SELECT segment.id AS segmentID,
                    (SELECT coalesce(max(byteOffset + byteCount), 0) FROM page
                        WHERE segmentID = segment.id) AS decodedByteCount,
                    \(Archive.storedByteCountOfSegment) AS byteCount
                FROM segment WHERE boardID = ? AND ordinal = ?
                """, arguments: [boardID, ordinal])
        guard let row else { return summary }
        let segmentID: Int64 = row["segmentID"]
        // Pages are decoded in order, so the end of the last decoded page is where decoding continues.
        let decodedByteCount: Int = row["decodedByteCount"]
        let byteCount: Int = row["byteCount"]
        let toOpen = try pagesToOpen(ofSegment: segmentID)
        guard byteCount > decodedByteCount || !toOpen.isEmpty else { return summary }

        let contents = try archive.contents(ofSegment: segmentID, keys: keys, in: database)
        for page in contents.pages {
            if page.byteOffset < decodedByteCount, !toOpen.contains(page.byteOffset) { continue }
            // The rest of the page arrives with the next fetch.
            if contents.isCutShort(page) { break }
            let isOurs = page.logIdentity == nil || page.logIdentity == board
            let damage = isOurs ? page.damage?.sentence : "the page belongs to another log"
            try insert(page, isOurs: isOurs, damage: damage, segmentID: segmentID, ordinal: ordinal)
            summary.pageCount += 1
            summary.entryCount += isOurs ? page.entries.count : 0
            summary.damagedPageCount += damage == nil ? 0 : 1
            if page.isClosed, let key = page.sealedFor { summary.closedPages.add(1, for: key) }
        }
        return summary
    }

    /// The byte offsets of locked pages that these keys decrypt.
    private func pagesToOpen(ofSegment segment: Int64) throws -> Set<Int> {
        var offsets: Set<Int> = []
        for key in keys {
            offsets.formUnion(
                try Int.fetchAll(
                    database.cachedStatement(
                        sql: "SELECT byteOffset FROM page WHERE segmentID = ? AND isClosed AND sealedFor = ?"),
                    arguments: [segment, Data(copying: key.fingerprint.span)]))
        }
        return offsets
    }

    private func insert(
        _ page: PageContents, isOurs: Bool, damage: String?, segmentID: Int64, ordinal: UInt32
    ) throws {
        let entries = isOurs ? page.entries : []
        try run(
            sql: "INSERT OR REPLACE INTO page VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            arguments: [
                segmentID, page.byteOffset, page.byteCount,
                page.sequenceNumber.map { Int64(bitPattern: $0) },
                page.bootIdentifier.map { Int64(bitPattern: $0) }, entries.count, isOurs && page.isClosed,
                damage, page.sealedFor.map { Data(copying: $0.span) },
                isOurs ? page.latestMilliseconds : nil,
            ])
        guard let identifier = page.bootIdentifier, !entries.isEmpty else { return }
        let boot = try bootID(identifier, ordinal: ordinal, byteOffset: page.byteOffset)
        for entry in entries { try insert(entry, boot: boot) }
    }

    private func insert(_ entry: LogEntry, boot: Int64) throws {
        switch entry {
        case .boot(let entry): try insert(entry, boot: boot)
        case .anchor(let entry):
            try run(
                sql: "INSERT OR IGNORE INTO anchor VALUES (?, ?, ?, ?, ?)",
                arguments: [
                    boot, time(entry.monotonicMilliseconds), time(entry.wallClockMilliseconds),
                    entry.errorMilliseconds, entry.source.rawValue,
                ])
        case .encounterOpened(let entry):
            try run(
                sql:
                    "UPDATE track SET firstSightingMilliseconds = ?, address = ?, addressType = ?, hint = ? WHERE id = ?",
                arguments: [
                    time(entry.monotonicMilliseconds), Data(copying: entry.address.span),
                    entry.addressType,
                    entry.foundBy.rawValue, try trackID(entry.encounter, boot: boot),
                ])
        case .encounterIdentified(let entry):
            try run(
                sql: "INSERT OR IGNORE INTO identification VALUES (?, ?, ?, ?, ?, FALSE)",
                arguments: [
                    try trackID(entry.encounter, boot: boot), time(entry.monotonicMilliseconds),
                    entry.scheme.rawValue,
                    Data(copying: entry.identity.span), entry.marks.rawValue,
                ])
        case .identityReference(let entry):
            try run(
                sql: "INSERT OR IGNORE INTO identification VALUES (?, ?, ?, ?, 0, TRUE)",
                arguments: [
                    try trackID(entry.encounter, boot: boot), time(entry.monotonicMilliseconds),
                    entry.scheme.rawValue, Data(entry.hash.bytes),
                ])
        case .sample(let entry): try insert(entry, boot: boot)
        case .encounterClosed(let entry):
            try run(
                sql: "UPDATE track SET lastReadingMilliseconds = ?, readingCount = ? WHERE id = ?",
                arguments: [
                    time(entry.monotonicMilliseconds), entry.readings,
                    try trackID(entry.encounter, boot: boot),
                ])
        case .coverage(let entry):
            try run(
                sql: "INSERT OR IGNORE INTO coverage VALUES (?, ?, ?, ?, ?, ?, ?)",
                arguments: [
                    boot, time(entry.startMilliseconds), time(entry.endMilliseconds), entry.reports,
                    entry.malformed,
                    entry.dropped, entry.evicted,
                ])
        case .radio(let entry):
            try run(
                sql: "INSERT OR IGNORE INTO radioIncident VALUES (?, ?, ?, ?, ?, ?)",
                arguments: [
                    boot, time(entry.monotonicMilliseconds), entry.event.rawValue, entry.fault.rawValue,
                    entry.rung.rawValue, entry.detail,
                ])
        case .message(let entry): try insert(entry, boot: boot)
        case .sharedPayloads(let entry): try insert(entry, boot: boot)
        case .ownIdentity(let entry): try insert(entry, boot: boot)
        case .ownKey(let entry): try insert(entry, boot: boot)
        case .readings(let entry): try insert(entry, boot: boot)
        case .gap(let entry): try insert(entry, boot: boot)
        case .identityRefused(let entry): try insert(entry, boot: boot)
        case .configuration(let entry): try insert(entry, boot: boot)
        // Acknowledgements need no table; log inspection reads them from the pages.
        case .acknowledgement: break
        case .peerDetails(let entry):
            try run(
                sql: "INSERT OR IGNORE INTO peerDetail VALUES (?, ?, ?, ?)",
                arguments: [
                    try trackID(entry.encounter, boot: boot), time(entry.monotonicMilliseconds),
                    entry.detail.rawValue, Data(copying: entry.value.span),
                ])
        }
    }

    private func insert(_ entry: ReadingsEntry, boot: Int64) throws {
        let track = try trackID(entry.encounter, boot: boot)
        let start = time(entry.readings.startMilliseconds)
        var list: [(milliseconds: UInt64, dBm: Int8)] = []
        entry.readings.forEach { list.append(($0, $1)) }
        for (place, reading) in list.enumerated() {
            try run(
                sql: "INSERT OR IGNORE INTO reading VALUES (?, ?, ?, ?, ?)",
                arguments: [track, start, place, time(reading.milliseconds), reading.dBm])
        }
    }

    private func insert(_ entry: BootEntry, boot: Int64) throws {
        let version = entry.softwareVersion
        try run(
            sql: """
                UPDATE boot SET startMilliseconds = ?, softwareVersion = ?, sampleMilliseconds = ?,
                    gapMilliseconds = ?, lossWindowMilliseconds = ?, role = ? WHERE id = ?
                """,
            arguments: [
                time(entry.monotonicMilliseconds), "\(version[0]).\(version[1]).\(version[2])",
                entry.sampleMilliseconds, entry.gapMilliseconds, entry.lossWindowMilliseconds,
                entry.role.rawValue,
                boot,
            ])
    }

    private func insert(_ entry: ConfigurationEntry, boot: Int64) throws {
        guard let position = entry.position else { return }
        try run(
            sql: "UPDATE boot SET latitudeMicrodegrees = ?, longitudeMicrodegrees = ? WHERE id = ?",
            arguments: [position.latitudeMicrodegrees, position.longitudeMicrodegrees, boot])
    }

    private func insert(_ entry: SampleEntry, boot: Int64) throws {
        try run(
            sql: "INSERT OR IGNORE INTO sample VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            arguments: [
                try trackID(entry.encounter, boot: boot), time(entry.startMilliseconds),
                time(max(entry.startMilliseconds, entry.endMilliseconds)),
                entry.readings, entry.minimumRSSIDBm, entry.maximumRSSIDBm, entry.meanRSSITenthsDBm,
                entry.txPowerDBm == SampleEntry.unknownTxPowerDBm ? nil : entry.txPowerDBm,
            ])
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

    /// Inserts the track at the first of its entries, because the opening entry may be lost.
    private func trackID(_ number: UInt32, boot: Int64) throws -> Int64 {
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

    /// Clamps times beyond the year 140,000, which are invalid, so that sums of times cannot overflow.
    static func milliseconds(_ milliseconds: UInt64) -> Int64 { Int64(min(milliseconds, 1 << 52)) }

    func time(_ milliseconds: UInt64) -> Int64 { Self.milliseconds(milliseconds) }
}
