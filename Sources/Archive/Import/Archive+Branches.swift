import FixedMemory
import Foundation
import GRDB
import LogContents

extension Archive {
    /// The branches of a board's log besides branch 0, in the order in which they were found.
    public func branches(of board: LogIdentity) throws(ArchiveError) -> [LogBranch] {
        try reading { try branches(ofBoard: try boardID(board, in: $0), in: $0) }
    }

    func branches(ofBoard board: Int64, in database: Database) throws -> [LogBranch] {
        try Row.fetchAll(
            database, sql: "SELECT * FROM branch WHERE boardID = ? ORDER BY number", arguments: [board]
        ).map {
            LogBranch(
                number: $0["number"], parent: $0["parent"], firstOrdinal: $0["firstOrdinal"],
                foundAt: $0["foundWallClockMilliseconds"])
        }
    }

    /// The branch that the board served last; 0 for an unknown board.
    public func currentBranch(of board: LogIdentity) throws(ArchiveError) -> Int {
        try reading { database in
            try Int.fetchOne(
                database, sql: "SELECT currentBranch FROM board WHERE logIdentity = ?",
                arguments: [board.blob])
                ?? LogBranch.main
        }
    }

    /// Records which branch the board serves.
    public func record(currentBranch branch: Int, of board: LogIdentity) throws(ArchiveError) {
        try transaction { database in
            try database.execute(
                sql: "UPDATE board SET currentBranch = ? WHERE logIdentity = ? AND currentBranch <> ?",
                arguments: [branch, board.blob, branch])
        }
    }

    /// Begins a branch at a segment of which the board serves other bytes than `parent` has. The prefix with
    /// deliberately removed entries is copied, because fetching it again would restore them.
    ///
    /// - Throws: `tooManyBranches` if the log has all branches that an archive keeps.
    public func addBranch(
        of board: LogIdentity, from parent: Int, at ordinal: UInt32, foundAt: WallClockTime
    ) throws(ArchiveError) -> Int {
        try transaction { database in
            let row = try boardID(board, in: database)
            let branches = try branches(ofBoard: row, in: database)
            let number = (branches.last?.number ?? LogBranch.main) + 1
            guard number <= LogBranch.greatestNumber else { throw ArchiveError.tooManyBranches(board) }
            try database.execute(
                sql: """
                    INSERT INTO branch (boardID, number, parent, firstOrdinal, foundWallClockMilliseconds)
                    VALUES (?, ?, ?, ?, ?)
                    """, arguments: [row, number, parent, ordinal, foundAt])
            let source = LogLine(parent, branches).branch(of: ordinal)
            try copyChangedPrefix(ofBoard: row, ordinal, from: source, to: number, in: database)
            return number
        }
    }

    private func copyChangedPrefix(
        ofBoard board: Int64, _ ordinal: UInt32, from source: Int, to branch: Int, in database: Database
    ) throws {
        let row = try Row.fetchOne(
            database,
            sql: """
                SELECT id, changedByteCount FROM segment
                WHERE boardID = ? AND ordinal = ? AND branch = ? AND changedByteCount > 0
                """, arguments: [board, ordinal, source])
        guard let row else { return }
        let original: Int64 = row["id"]
        let byteCount: Int = row["changedByteCount"]
        try database.execute(
            sql: """
                INSERT INTO segment (boardID, ordinal, branch, isComplete, isVerified, changedByteCount)
                VALUES (?, ?, ?, FALSE, FALSE, ?)
                """,
            arguments: [board, ordinal, branch, byteCount])
        let copy = database.lastInsertedRowID
        let bytes = try bytes(ofSegment: original, in: database)
        try store(Array(bytes.prefix(byteCount)), ofSegment: copy, in: database)
        try database.execute(
            sql: """
                INSERT INTO redactedPage
                    (segmentID, byteOffset, redactionID, chainValue, entries, identities, proof)
                SELECT ?, byteOffset, redactionID, chainValue, entries, identities, proof
                FROM redactedPage WHERE segmentID = ? AND byteOffset < ?
                """, arguments: [copy, original, byteCount])
    }

    /// The line of a branch; of the branch that the board served last if none is given.
    func line(of board: LogIdentity, _ branch: Int? = nil, in database: Database) throws -> LogLine {
        try line(ofBoard: try boardID(board, in: database), branch, in: database)
    }

    func line(ofBoard row: Int64, _ branch: Int? = nil, in database: Database) throws -> LogLine {
        let current = try Int.fetchOne(
            database, sql: "SELECT currentBranch FROM board WHERE id = ?", arguments: [row])
        return LogLine(branch ?? current ?? LogBranch.main, try branches(ofBoard: row, in: database))
    }
}
