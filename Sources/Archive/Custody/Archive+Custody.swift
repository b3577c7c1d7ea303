import FixedMemory
import Foundation
import GRDB
import LogContents

/// What the operator's computer knows outside of the archive.
extension Archive {
    /// Whether nobody else has changed the archive since this computer filled its tables.
    public var isInCustody: Bool { custody.hasFilledTables }

    var proof: RowProof { RowProof(secret: custody.secret) }

    /// The keys whose signatures count: those that the operator's list has for the board, or else those that
    /// the archive vouches for.
    func vouchedKeys(of board: LogIdentity, in database: Database) throws -> [StoredBoardKey] {
        let stored = try keyHistory(of: board, in: database).filter(\.isVouched)
        guard let known = custody.knownBoards.keys[board] else {
            // An archive that is open for writing has disowned the boards that it cannot vouch for.
            return custody.vouchesForItself || !isReadOnly ? stored : []
        }
        let listed = known.map { key in
            stored.first { $0.keyring.publicKey == key }
                ?? StoredBoardKey(
                    BoardKeyring(publicKey: key, ownerFingerprint: nil, operatorFingerprint: nil),
                    isVouched: true, shownAt: nil)
        }
        // A command that writes may have trusted another key since it read the list.
        return listed
            + (isReadOnly ? [] : stored.filter { key in !known.contains(key.keyring.publicKey) })
    }

    /// All keys of a board in the archive. Only those that count are vouched.
    func judgedKeys(of board: LogIdentity, in database: Database) throws -> [StoredBoardKey] {
        if custody.knownBoards.keys[board] != nil { return try vouchedKeys(of: board, in: database) }
        let vouched = try vouchedKeys(of: board, in: database)
        return try keyHistory(of: board, in: database).map { key in
            var key = key
            key.isVouched = key.isVouched && vouched.contains(key)
            return key
        }
    }

    /// The keys of a board whose signatures count.
    public func vouchedKeys(of board: LogIdentity) throws(ArchiveError) -> [StoredBoardKey] {
        try reading { try vouchedKeys(of: board, in: $0) }
    }

    /// Refuses an archive that vouches for another key of a board than the operator's list has.
    ///
    /// - Throws: `otherBoardKey` with the board's label.
    public func checkKnownBoards() throws(ArchiveError) {
        for (board, known) in custody.knownBoards.keys.sorted(by: { $0.key.hexadecimal < $1.key.hexadecimal })
        where try isTrusted(board) {
            let stored = try keyHistory(of: board)
            let isListed = stored.allSatisfy { !$0.isVouched || known.contains($0.keyring.publicKey) }
            guard !stored.isEmpty, isListed else {
                throw .otherBoardKey(try label(of: board))
            }
        }
    }

    /// Adds the keys of all trusted boards in the archive to a list.
    public func addBoards(to list: inout KnownBoards) throws(ArchiveError) {
        for board in try boards() {
            for key in try keyHistory(of: board.identity) where key.isVouched {
                list.add(key.keyring.publicKey, of: board.identity)
            }
        }
    }

    /// The number of rows of a board that no board has signed, and that this computer did not make.
    func unprovenRowCounts(ofBoard board: Int64, in database: Database) throws -> UnprovenRows {
        let identity = try identity(ofBoard: board, in: database)
        var rows = UnprovenRows()
        for row in try Row.fetchAll(
            database, sql: "SELECT * FROM clockReading WHERE boardID = ?", arguments: [board])
        {
            let stored: Data? = row["proof"]
            if !isProven(stored, clockProof(row, of: identity)) { rows.clockReadingCount += 1 }
        }
        for row in try Row.fetchAll(
            database, sql: "SELECT * FROM ownKey WHERE boardID = ?", arguments: [board])
        {
            let stored: Data? = row["proof"]
            if !isProven(stored, ownKeyProof(row, of: identity)) { rows.ownKeyCount += 1 }
        }
        if admission == .vouched, !custody.hasFilledTables {
            rows.forgedTables = try forgedTables(in: database)
        }
        return rows
    }

    /// The tables of the file with rows that this connection's own tables do not have. Pages that are locked
    /// here and were opened there cannot be compared; their rows are in no list.
    private func forgedTables(in database: Database) throws -> [String] {
        // Rows of a board that is not trusted here may follow from its log.
        guard !isEarlierFormat, try disownedBoards(in: database).isEmpty,
            try Int.fetchOne(database, sql: "SELECT version FROM main.decoder")
                == DerivedTables.decoderVersion,
            try Bool.fetchOne(
                database,
                sql: """
                    SELECT EXISTS (SELECT 1 FROM main.page AS stored
                        JOIN temp.page AS own USING (segmentID, byteOffset)
                        WHERE own.isLocked AND NOT stored.isLocked)
                    """) == false
        else { return [] }
        // The numbers of rows may differ.
        let numbers: Set = ["id", "bootID", "trackID"]
        return try DerivedTables.tables.filter { table in
            // Encounters follow from other tables and from clock samples, which may be another computer's.
            guard !(["decoder", "judgement"] + DerivedTables.conclusions).contains(table) else {
                return false
            }
            let columns = try database.columns(in: table).map(\.name).filter { !numbers.contains($0) }
            let list = columns.joined(separator: ", ")
            return try Bool.fetchOne(
                database,
                sql: """
                    SELECT EXISTS (SELECT \(list) FROM main.\(table) EXCEPT SELECT \(list) FROM temp.\(table))
                        OR (SELECT count(*) FROM main.\(table)) > (SELECT count(*) FROM temp.\(table))
                    """) == true
        }
    }

    func identity(ofBoard board: Int64, in database: Database) throws -> Data {
        try Data.fetchOne(database, sql: "SELECT logIdentity FROM board WHERE id = ?", arguments: [board])
            ?? Data()
    }

    func clockProof(_ row: Row, of identity: Data) -> Data {
        proof.code(
            .clockReading, of: identity,
            [
                row["bootIdentifier"], row["monotonicMilliseconds"], row["wallClockMilliseconds"],
                row["errorMilliseconds"],
            ])
    }

    func ownKeyProof(_ row: Row, of identity: Data) -> Data {
        proof.code(
            .ownKey, of: identity,
            [
                row["scheme"], row["firstPeriod"], row["periodCount"], row["bootIdentifier"],
                row["monotonicMilliseconds"],
            ], [row["key"]])
    }

    func redactionProof(
        of identity: Data, ordinal: Int64, byteOffset: Int64, _ blobs: [Data]
    ) -> Data {
        proof.code(.redactedPage, of: identity, [ordinal, byteOffset], blobs)
    }

    func forgottenProof(of identity: Data, before ordinal: Int64, at time: WallClockTime) -> Data {
        proof.code(.forgotten, of: identity, [ordinal, Int64(clamping: time.milliseconds)])
    }

    /// Accepts all rows as this computer's own: those of an earlier version, of another computer, and of this
    /// one before its secret was lost.
    ///
    /// - Parameters:
    ///   - keys: decrypt the pages again, if other pages count now.
    ///   - locks: pages whose key is missing then may become locked again.
    public func adoptEarlierRows(keys: OwnerKeys = .none, locks: Bool = false) throws(ArchiveError) {
        try transaction { database in
            let before = try redactionProofs(in: database)
            try adoptRows(in: database, all: true)
            guard try redactionProofs(in: database) != before else {
                // Clock samples may count now.
                for board in try Int64.fetchAll(database, sql: "SELECT id FROM board") {
                    try updateEncounters(ofBoard: board, in: database)
                }
                return
            }
            try restoreChangedByteCounts(in: database)
            try fillDerivedTables(keys: keys, locks: locks, in: database)
        }
    }

    private func redactionProofs(in database: Database) throws -> [Data?] {
        try Row.fetchAll(database, sql: "SELECT proof FROM redactedPage ORDER BY segmentID, byteOffset")
            .map { $0["proof"] }
    }

    /// Proves rows that have no proof: those of an earlier version.
    func adoptRows(in database: Database) throws { try adoptRows(in: database, all: false) }

    /// - Parameter all: also rows whose proof is of another secret.
    private func adoptRows(in database: Database, all: Bool) throws {
        let condition = all ? "TRUE" : "proof IS NULL"
        for row in try Row.fetchAll(
            database,
            sql: """
                SELECT clockReading.rowid AS place, clockReading.*, logIdentity FROM clockReading
                    JOIN board ON board.id = boardID WHERE \(condition)
                """)
        {
            try database.execute(
                sql: "UPDATE clockReading SET proof = ? WHERE rowid = ?",
                arguments: [clockProof(row, of: row["logIdentity"]), row["place"] as Int64])
        }
        for row in try Row.fetchAll(
            database,
            sql: """
                SELECT forgotten.*, logIdentity FROM forgotten JOIN board ON board.id = boardID
                    WHERE \(condition)
                """)
        {
            try database.execute(
                sql: "UPDATE forgotten SET proof = ? WHERE boardID = ?",
                arguments: [
                    forgottenProof(
                        of: row["logIdentity"], before: row["beforeOrdinal"], at: row["wallClockMilliseconds"]
                    ),
                    row["boardID"] as Int64,
                ])
        }
        for row in try Row.fetchAll(
            database,
            sql: """
                SELECT redactedPage.*, ordinal, logIdentity FROM redactedPage
                    JOIN segment ON segment.id = segmentID JOIN board ON board.id = boardID
                    WHERE \(condition)
                """)
        {
            try database.execute(
                sql: "UPDATE redactedPage SET proof = ? WHERE segmentID = ? AND byteOffset = ?",
                arguments: [
                    redactionProof(
                        of: row["logIdentity"], ordinal: row["ordinal"], byteOffset: row["byteOffset"],
                        [row["chainValue"], row["entries"], row["identities"]]),
                    row["segmentID"] as Int64, row["byteOffset"] as Int64,
                ])
        }
        for row in try Row.fetchAll(
            database,
            sql: """
                SELECT ownKey.*, logIdentity FROM ownKey JOIN board ON board.id = boardID
                    WHERE \(condition)
                """)
        {
            try database.execute(
                sql: """
                    UPDATE ownKey SET proof = ? WHERE boardID = ? AND scheme = ? AND firstPeriod = ?
                        AND periodCount = ? AND key = ?
                    """,
                arguments: [
                    ownKeyProof(row, of: row["logIdentity"]), row["boardID"] as Int64, row["scheme"] as Int64,
                    row["firstPeriod"] as Int64, row["periodCount"] as Int64, row["key"] as Data,
                ])
        }
    }
}

/// Rows of a board that this computer did not make.
struct UnprovenRows {
    var clockReadingCount = 0
    var ownKeyCount = 0
    /// The derived tables with rows that do not follow from the evidence.
    var forgedTables: [String] = []
    /// Triggers and other parts of the file that this program did not create.
    var foreignObjects: [String] = []
}
