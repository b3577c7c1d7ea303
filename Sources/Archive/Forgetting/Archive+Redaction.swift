import EncounterLog
import FixedMemory
import Foundation
import GRDB
import LogContents

extension Archive {
    /// Selects contacts that are older than their scheme's retention time. The age of a contact counts from
    /// its latest known time, plus the clock's error.
    ///
    /// - Parameter keys: decrypt pages so that their contacts are known; they should include
    ///   ``keysOfOpenedPages(of:from:)``.
    public func redactionPlan(
        of board: LogIdentity, keeping retention: ContactRetention, keys: OwnerKeys,
        now: WallClockTime
    ) throws(ArchiveError) -> RedactionPlan {
        try plan(board, .expired(retention, now: now), keys, now)
    }

    /// Selects all contacts with an identity, and all other contacts with the addresses of these.
    public func redactionPlan(
        of board: LogIdentity, forgetting identity: Identity, keys: OwnerKeys, now: WallClockTime
    ) throws(ArchiveError) -> RedactionPlan {
        try plan(board, .identity(identity), keys, now)
    }

    /// Removes the selected entries, so that nothing of them stays in the file except the chain value after
    /// each page. The remaining pages are decoded again, and encrypted ones need their keys for that.
    public func redact(_ plan: RedactionPlan, keys: OwnerKeys) throws(ArchiveError) {
        guard !plan.isEmpty else { return }
        try overwriting { () throws(ArchiveError) in
            let openers = keys.atWork()
            try transaction { database in
                let board = try boardID(plan.board, in: database)
                try database.execute(
                    sql: "INSERT INTO redaction (boardID, wallClockMilliseconds, schemes) VALUES (?, ?, ?)",
                    arguments: [
                        board, plan.redaction.time,
                        plan.redaction.schemes?.joined(separator: ","),
                    ])
                let redaction = database.lastInsertedRowID
                for segment in try segmentIDs(ofBoard: board, in: database) {
                    let redactor = try redactor(
                        segment, of: plan.board, plan.selection, plan.redaction, openers, in: database)
                    guard redactor.counts.pageCount > 0 else { continue }
                    try store(redactor, ofSegment: segment, plan.redaction, redaction, in: database)
                }
                try deleteWhatWasDecoded(ofBoard: board, in: database)
            }
        }
        try decodePages(of: plan.board, keys: keys)
    }

    private func plan(
        _ board: LogIdentity, _ rule: ContactSelection.Rule, _ keys: OwnerKeys, _ now: WallClockTime
    ) throws(ArchiveError) -> RedactionPlan {
        // Pages that these keys decrypt are decoded first, because they may contain the identity and duration
        // of a contact.
        try decodePages(of: board, keys: keys)
        let history = try history(of: board)
        let hints = try hints(of: board)
        let selection = ContactSelection(rule, in: history, hints: hints)
        let going = GoingContacts(selection, of: history, hints)
        var schemes: [String]?
        if case .expired = rule { schemes = going.parts.map(\.kind.label) }
        let redaction = Redaction(time: now, schemes: schemes)
        return RedactionPlan(
            board: board, redaction: redaction, parts: going.parts, sampleCount: going.sampleCount,
            undatedCount: selection.undatedCount, counts: try counts(of: board, selection, redaction, keys),
            selection: selection)
    }

    private func counts(
        of board: LogIdentity, _ selection: ContactSelection, _ redaction: Redaction, _ keys: OwnerKeys
    ) throws(ArchiveError) -> RedactionCounts {
        let openers = keys.atWork()
        return try reading { database in
            try segmentIDs(ofBoard: try boardID(board, in: database), in: database)
                .reduce(RedactionCounts()) { sum, segment in
                    sum
                        + (try redactor(segment, of: board, selection, redaction, openers, in: database))
                        .counts
                }
        }
    }

    private func redactor(
        _ segment: Int64, of board: LogIdentity, _ selection: ContactSelection, _ redaction: Redaction,
        _ keys: [OwnerKey], in database: Database
    ) throws -> SegmentRedactor {
        SegmentRedactor(
            try bytes(ofSegment: segment, in: database),
            try contents(ofSegment: segment, keys: keys, in: database), of: board, selection, redaction)
    }

    // MARK: Tables

    /// The advert kind by which each track was found, if it is known.
    private func hints(of board: LogIdentity) throws(ArchiveError) -> [TrackKey: PeerHint] {
        try reading { database in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT bootIdentifier, number, hint FROM track JOIN boot ON bootID = boot.id
                    WHERE boardID = ? AND hint IS NOT NULL
                    """, arguments: [try boardID(board, in: database)])
            let hints = rows.map { row in
                let boot: Int64 = row["bootIdentifier"]
                return (
                    TrackKey(boot: UInt64(bitPattern: boot), number: row["number"]),
                    PeerHint(rawValue: row["hint"])
                )
            }
            return Dictionary(hints, uniquingKeysWith: { first, _ in first })
        }
    }

    /// The segments of all branches, oldest first.
    func segmentIDs(ofBoard board: Int64, in database: Database) throws -> [Int64] {
        try Int64.fetchAll(
            database, sql: "SELECT id FROM segment WHERE boardID = ? ORDER BY ordinal, branch",
            arguments: [board])
    }

    private func store(
        _ redactor: SegmentRedactor, ofSegment segment: Int64, _ redaction: Redaction, _ redactionID: Int64,
        in database: Database
    ) throws {
        try store(redactor.bytes, ofSegment: segment, in: database)
        try database.execute(
            sql: "UPDATE segment SET changedByteCount = max(changedByteCount, ?) WHERE id = ?",
            arguments: [redactor.changedByteCount, segment])
        let place = try Row.fetchOne(
            database,
            sql:
                "SELECT ordinal, logIdentity FROM segment JOIN board ON board.id = boardID WHERE segment.id = ?",
            arguments: [segment])
        guard let place else { return }
        for (offset, page) in redactor.pages {
            let blobs = [
                Data(copying: page.chainValue.span), Data(page.encodedEntries), Data(page.encodedIdentities),
            ]
            let proof = redactionProof(
                of: place["logIdentity"], ordinal: place["ordinal"], byteOffset: Int64(offset), blobs)
            try database.execute(
                sql: """
                    INSERT INTO redactedPage
                        (segmentID, byteOffset, redactionID, chainValue, entries, identities, proof)
                    VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
                        redactionID = CASE WHEN ? THEN excluded.redactionID ELSE redactionID END,
                        entries = excluded.entries, identities = excluded.identities, proof = excluded.proof
                    """,
                arguments: [
                    segment, offset, redactionID, blobs[0], blobs[1], blobs[2],
                    page.isProven ? proof : nil, page.redaction == redaction,
                ])
        }
    }

    /// The redacted pages of a segment, by byte offset.
    func redactedPages(ofSegment segment: Int64, in database: Database) throws -> [Int: RedactedPage] {
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT redactedPage.*, wallClockMilliseconds, schemes, ordinal, logIdentity
                FROM redactedPage JOIN redaction ON redaction.id = redactionID
                    JOIN segment ON segment.id = segmentID JOIN board ON board.id = segment.boardID
                WHERE segmentID = ?
                """, arguments: [segment])
        return try Dictionary(
            uniqueKeysWithValues: rows.map { row in
                let chainValue: Data = row["chainValue"]
                let entries: Data = row["entries"]
                let identities: Data = row["identities"]
                let schemes: String? = row["schemes"]
                guard let chainValue = Bytes<16>(chainValue) else {
                    throw ArchiveError.database(path: path, reason: "a chain's value has 16 bytes")
                }
                let redaction = Redaction(
                    time: row["wallClockMilliseconds"],
                    schemes: schemes?.split(separator: ",").map(String.init))
                var page = RedactedPage(
                    redaction, chainValue: chainValue, entries: [UInt8](entries),
                    identities: [UInt8](identities))
                let proof: Data? = row["proof"]
                page.isProven = isProven(
                    proof,
                    redactionProof(
                        of: row["logIdentity"], ordinal: row["ordinal"], byteOffset: row["byteOffset"],
                        [row["chainValue"], entries, identities]))
                return (row["byteOffset"], page)
            })
    }
}
