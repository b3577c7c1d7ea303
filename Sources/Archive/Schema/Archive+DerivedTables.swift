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

    /// Decodes all pages of all trusted boards in this transaction.
    func decodeAllPages(keys: OwnerKeys, in database: Database) throws {
        let openers = keys.atWork()
        let segments = try Row.fetchAll(
            database,
            sql: """
                SELECT segment.id AS id, logIdentity, boardID
                FROM segment JOIN board ON board.id = boardID WHERE claimedIdentity IS NULL
                ORDER BY boardID, ordinal, branch
                """)
        for segment in segments {
            guard let board = LogIdentity(blob: segment["logIdentity"]) else { continue }
            let importer = PageImporter(
                board: board, boardID: segment["boardID"], keys: openers, database: database)
            _ = try importer.decodePages(ofSegment: segment["id"], archive: self)
        }
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
