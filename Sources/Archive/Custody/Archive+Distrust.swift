import Foundation
import GRDB
import LogContents

/// An archive that was in other hands cannot say whom the operator trusts, and which data are here.
extension Archive {
    /// Withdraws what only the archive itself says, after it was in other hands: trust in boards, and
    /// statements that data is here or gone from the board. The next fetch compares the segments again.
    func distrust(in database: Database) throws {
        try disownBoards(in: database)
        try database.execute(sql: "DELETE FROM retention; UPDATE segment SET isVerified = FALSE")
        let changed = try Row.fetchAll(
            database, sql: "SELECT id, changedByteCount FROM segment WHERE changedByteCount > 0")
        for row in changed {
            let segment: Int64 = row["id"]
            // The hash of the bytes behind the last page that this computer redacted is compared.
            let end = try endOfRedactedPages(ofSegment: segment, in: database)
            try database.execute(
                sql: "UPDATE segment SET changedByteCount = min(changedByteCount, ?) WHERE id = ?",
                arguments: [end, segment])
        }
    }

    /// The end of the last page of a segment that this computer has redacted; 0 if there is none.
    func endOfRedactedPages(ofSegment segment: Int64, in database: Database) throws -> Int {
        try contents(ofSegment: segment, keys: [], in: database).pages
            .filter { $0.redacted != nil && $0.isRestProven }.map { $0.byteOffset + $0.byteCount }.max() ?? 0
    }

    /// Withdraws the trust in boards that only the archive vouches for. A courier may have added them.
    private func disownBoards(in database: Database) throws {
        let boards = try Data.fetchAll(database, sql: "SELECT logIdentity FROM board")
        for board in boards.compactMap(LogIdentity.init(blob:))
        where custody.knownBoards.keys[board] == nil {
            try database.execute(
                sql: """
                    UPDATE boardKey SET isVouched = FALSE
                        WHERE boardID IN (SELECT id FROM board WHERE logIdentity = ? AND claimedIdentity IS NULL)
                    """, arguments: [board.blob])
        }
    }

    /// The redacted pages differ from the board's, and are not fetched again.
    func restoreChangedByteCounts(in database: Database) throws {
        for segment in try Int64.fetchAll(database, sql: "SELECT DISTINCT segmentID FROM redactedPage") {
            try database.execute(
                sql: "UPDATE segment SET changedByteCount = max(changedByteCount, ?) WHERE id = ?",
                arguments: [try endOfRedactedPages(ofSegment: segment, in: database), segment])
        }
    }
}
