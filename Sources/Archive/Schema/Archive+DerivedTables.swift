import FixedMemory
import Foundation
import GRDB
import LogContents

extension Archive {
    /// Drops the derived tables and decodes all stored pages again.
    ///
    /// - Throws: `keysMissing` if pages that were decrypted would become locked, unless `locks` permits it.
    func fillDerivedTables(keys: OwnerKeys, locks: Bool, in database: Database) throws {
        if !locks {
            let missing = try DerivedTables.missingKeys(keys, in: database)
            guard missing.isEmpty else {
                throw ArchiveError.keysMissing(path: path, fingerprints: missing)
            }
        }
        try DerivedTables.drop(in: database)
        try DerivedTables.create(in: database)
        try decodeAllPages(keys: keys, in: database)
    }

    /// Makes all derived tables anew.
    ///
    /// - Parameters:
    ///   - keys: decrypt the pages that were decrypted before.
    ///   - locks: pages whose key is missing become locked.
    /// - Throws: `keysMissing` if pages would become locked that may not.
    public func rebuild(keys: OwnerKeys, locks: Bool = false) throws(ArchiveError) {
        try transaction { try fillDerivedTables(keys: keys, locks: locks, in: $0) }
    }

    /// The keys of pages that are open in a file, without those at hand; none if it cannot be read.
    public static func keysOfOpenPages(inFile path: String, besides keys: OwnerKeys) -> [Bytes<16>] {
        let missing = reading(file: path) { database in
            try ArchiveFormat(database) == .numbered ? DerivedTables.missingKeys(keys, in: database) : []
        }
        return missing ?? []
    }

    /// The triggers, views and indexes of somebody else in a file, which opening it for writing removes; as
    /// far as the file can be read.
    public static func foreignObjects(inFile path: String) -> [String] {
        let names = reading(file: path) { database in
            let format = try ArchiveFormat(database)
            guard format == .numbered || format == .version01 else { return [String]() }
            return try ForeignObjects(database, isEarlierFormat: format == .version01).activeNames
        }
        return names ?? []
    }

    private static func reading<Value>(file path: String, _ work: (Database) throws -> Value) -> Value? {
        guard FileManager.default.fileExists(atPath: path), let queue = try? readingQueue(path) else {
            return nil
        }
        defer { try? queue.close() }
        return try? queue.read(work)
    }

    /// Fills derived tables that only this connection sees.
    ///
    /// - Parameter fromFile: begins with what the file's tables hold, because pages that were decrypted for
    ///   them may be locked for these keys.
    func deriveTemporarily(fromFile: Bool, keys: OwnerKeys) throws(ArchiveError) {
        do {
            try queue.writeWithoutTransaction { database in
                try database.inTransaction(.deferred) {
                    try database.execute(
                        sql: """
                            DROP VIEW IF EXISTS temp.page;
                            DROP VIEW IF EXISTS temp.coverage;
                            DROP VIEW IF EXISTS temp.marker;
                            DROP VIEW IF EXISTS temp.battery;
                            CREATE TEMPORARY TABLE ownKey AS SELECT * FROM main.ownKey;
                            CREATE UNIQUE INDEX temp.ownKeyIndex ON
                                ownKey (boardID, scheme, firstPeriod, periodCount, key);
                            """)
                    if try !database.columns(in: "ownKey").contains(where: { $0.name == "proof" }) {
                        try database.execute(sql: "ALTER TABLE temp.ownKey ADD COLUMN proof BLOB")
                    }
                    try DerivedTables.createTemporary(in: database)
                    if fromFile {
                        for table in DerivedTables.tables where table != "decoder" && table != "judgement" {
                            // Tables and last columns may be younger than the file.
                            guard try database.tableExists(table, in: "main") else { continue }
                            let missing =
                                try database.columns(in: table, in: "temp").count
                                - database.columns(in: table, in: "main").count
                            let nulls = String(repeating: ", NULL", count: max(0, missing))
                            try database.execute(
                                sql: "INSERT INTO temp.\(table) SELECT *\(nulls) FROM main.\(table)")
                        }
                    }
                    if admission == .unverified {
                        // Their entries are not in the file's tables.
                        try database.execute(
                            sql: "UPDATE temp.page SET standing = NULL WHERE standing IN (?, ?)",
                            arguments: [
                                PageStanding.beyondSignature.rawValue, PageStanding.unsigned.rawValue,
                            ])
                    }
                    try decodeAllPages(keys: keys, in: database)
                    return .commit
                }
            }
        } catch {
            throw translated(error)
        }
    }

    /// Decodes all pages of all trusted boards in this transaction.
    func decodeAllPages(keys: OwnerKeys, in database: Database) throws {
        let openers = keys.atWork()
        let boards = try Data.fetchAll(
            database, sql: "SELECT logIdentity FROM board WHERE claimedIdentity IS NULL ORDER BY id")
        let times = TouchedTimes()
        var progress = try ProgressCount(.decodingPages, stride: 1) {
            try Int.fetchOne(
                database,
                sql: """
                    SELECT count(*) FROM segment JOIN board ON boardID = board.id
                    WHERE claimedIdentity IS NULL
                    """) ?? 0
        }
        for board in boards.compactMap(LogIdentity.init(blob:)) {
            try decodePages(of: board, keys: openers, times: times, in: database) { progress.add() }
        }
        try PresenceKeeper(database: database).update(times)
    }
}

extension DerivedTables {
    /// The fingerprints of the keys that decrypted pages of this archive and are not among `keys`. The rest
    /// of a redacted page is stored in clear.
    static func missingKeys(_ keys: OwnerKeys, in database: Database) throws -> [Bytes<16>] {
        guard try database.tableExists("page") else { return [] }
        let needed = try Data.fetchAll(
            database,
            sql: """
                SELECT DISTINCT sealedFor FROM page WHERE sealedFor IS NOT NULL AND NOT isLocked
                    AND (segmentID, byteOffset) NOT IN (SELECT segmentID, byteOffset FROM redactedPage)
                """)
        return needed.compactMap { Bytes<16>($0) }.filter { !keys.fingerprints.contains($0) }
    }
}
