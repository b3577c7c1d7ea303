import Foundation
import GRDB
import LogContents

/// A segment, as far as it was fetched.
public struct StoredSegment: Sendable, Equatable {
    public let ordinal: UInt32
    public let byteCount: Int
    /// True if the segment is complete: the board adds nothing to it, and its chain was checked.
    public let isComplete: Bool
    /// True if the board's hash of the whole segment matched the stored bytes, and the chain of a complete
    /// one was whole. Entries may have been removed from the stored bytes since.
    public let isVerified: Bool
    /// The length of the prefix that no longer equals the board's bytes, because entries were removed from
    /// it.
    public let changedByteCount: Int

    /// True if nothing of the segment is left to fetch, compare or check.
    public var isSettled: Bool { isComplete && isVerified }
}

extension Archive {
    /// The stored segments of a branch, oldest first; of the branch that the board served last if none is
    /// given.
    public func segments(of board: LogIdentity, branch: Int? = nil) throws(ArchiveError) -> [StoredSegment] {
        try reading { database in
            let line = try line(of: board, branch, in: database)
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT ordinal, isComplete, isVerified, changedByteCount,
                        \(Self.storedByteCountOfSegment) AS byteCount
                    FROM segment WHERE boardID = ? AND \(line.condition) ORDER BY ordinal
                    """, arguments: [try boardID(board, in: database)])
            return rows.map { row in
                StoredSegment(
                    ordinal: row["ordinal"], byteCount: row["byteCount"], isComplete: row["isComplete"],
                    isVerified: row["isVerified"], changedByteCount: row["changedByteCount"])
            }
        }
    }

    /// The oldest segment that the board may still have and that must be fetched: incomplete here, not
    /// verified, or absent. 0 for an unknown board.
    public func firstWantedSegment(
        of board: LogIdentity, branch: Int? = nil, boot: UInt64
    ) throws(ArchiveError) -> UInt32 {
        try reading { database in
            guard try contains(board, in: database) else { return 0 }
            let line = try line(of: board, branch, in: database)
            // Only this boot's report counts, because a later boot may be able to read segments that an
            // earlier one could not.
            let oldest = try UInt32.fetchOne(
                database,
                sql: """
                    SELECT oldestOrdinal FROM retention JOIN board ON board.id = boardID
                    WHERE logIdentity = ? AND bootIdentifier = ?
                    """, arguments: [board.blob, Int64(bitPattern: boot)])
            var wanted = max(oldest ?? 0, try firstKeptOrdinal(of: board, in: database))
            let settled = try UInt32.fetchCursor(
                database,
                sql: """
                    SELECT ordinal FROM segment JOIN board ON board.id = boardID
                    WHERE logIdentity = ? AND \(line.condition) AND isComplete AND isVerified
                        AND ordinal >= ? ORDER BY ordinal
                    """, arguments: [board.blob, wanted])
            while let ordinal = try settled.next(), ordinal == wanted, wanted < .max { wanted += 1 }
            return wanted
        }
    }

    /// Records that the board no longer has any segment before this one.
    public func record(
        oldestSegment ordinal: UInt32, of board: LogIdentity, boot: UInt64
    ) throws(ArchiveError) {
        try transaction { database in
            try database.execute(
                sql: """
                    INSERT OR REPLACE INTO retention (boardID, bootIdentifier, oldestOrdinal)
                    VALUES (?, ?, ?)
                    """,
                arguments: [try boardID(board, in: database), Int64(bitPattern: boot), ordinal])
        }
    }

    /// Appends bytes to a segment. Bytes that are stored already are skipped, so a chunk may arrive twice.
    ///
    /// - Throws: `discontinuous` if the chunk would leave missing bytes before it.
    public func append(
        _ bytes: [UInt8], at offset: Int, segment ordinal: UInt32, of board: LogIdentity, branch: Int? = nil
    ) throws(ArchiveError) {
        try transaction { database in
            let segment = try segmentID(ordinal, of: board, branch, in: database)
            let stored = try storedByteCount(segment, in: database)
            guard offset >= 0, offset <= stored else {
                throw ArchiveError.discontinuous(segment: ordinal, storedByteCount: stored, offset: offset)
            }
            let added = bytes.dropFirst(stored - offset)
            guard !added.isEmpty else { return }
            try database.execute(
                sql: "INSERT INTO chunk (segmentID, byteOffset, bytes) VALUES (?, ?, ?)",
                arguments: [segment, stored, Data(added)])
        }
    }

    /// Marks the segment as complete, and as verified if the board's hash was compared and matched.
    public func markComplete(
        segment ordinal: UInt32, of board: LogIdentity, branch: Int? = nil, isVerified: Bool
    ) throws(ArchiveError) {
        try transaction { database in
            let segment = try segmentID(ordinal, of: board, branch, in: database)
            try database.execute(
                sql: "UPDATE segment SET isComplete = 1, isVerified = max(isVerified, ?) WHERE id = ?",
                arguments: [isVerified, segment])
        }
    }

    /// Records whether the board's hash of a closed segment matched, whose chain was not checked yet.
    public func record(
        isSame: Bool, segment ordinal: UInt32, of board: LogIdentity, branch: Int
    ) throws(ArchiveError) {
        try transaction { try mark(ordinal, of: board, branch, isVerified: isSame, in: $0) }
    }

    /// - Parameter isComplete: nil to leave it as it is.
    func mark(
        _ ordinal: UInt32, of board: LogIdentity, _ branch: Int, isComplete: Bool? = nil, isVerified: Bool,
        in database: Database
    ) throws {
        let segment = try segmentID(ordinal, of: board, branch, in: database)
        try database.execute(
            sql: "UPDATE segment SET isComplete = coalesce(?, isComplete), isVerified = ? WHERE id = ?",
            arguments: [isComplete, isVerified, segment])
    }

    /// Replaces the stored bytes of a segment.
    func store(_ bytes: [UInt8], ofSegment segment: Int64, in database: Database) throws {
        try database.execute(sql: "DELETE FROM chunk WHERE segmentID = ?", arguments: [segment])
        for start in stride(from: 0, to: bytes.count, by: 1 << 16) {
            try database.execute(
                sql: "INSERT INTO chunk (segmentID, byteOffset, bytes) VALUES (?, ?, ?)",
                arguments: [segment, start, Data(bytes[start..<min(start + 1 << 16, bytes.count)])])
        }
    }

    /// The stored bytes of a segment, without removed entries; empty if nothing is stored.
    public func bytes(
        ofSegment ordinal: UInt32, of board: LogIdentity, branch: Int? = nil
    ) throws(ArchiveError) -> [UInt8] {
        try reading { database in
            let segment = try storedSegmentID(ordinal, of: board, branch, in: database)
            guard let segment else { return [] }
            return try bytes(ofSegment: segment, in: database)
        }
    }

    func bytes(ofSegment segment: Int64, in database: Database) throws -> [UInt8] {
        let chunks = try Data.fetchAll(
            database, sql: "SELECT bytes FROM chunk WHERE segmentID = ? ORDER BY byteOffset",
            arguments: [segment])
        return [UInt8](chunks.joined())
    }

    /// The pages of a stored segment; empty if nothing is stored.
    public func contents(
        ofSegment ordinal: UInt32, of board: LogIdentity, branch: Int? = nil, keys: [OwnerKey] = []
    ) throws(ArchiveError) -> SegmentContents {
        try reading { database in
            let segment = try storedSegmentID(ordinal, of: board, branch, in: database)
            return try contents(ofSegment: segment ?? 0, keys: keys, in: database)
        }
    }

    func contents(
        ofSegment segment: Int64, keys: [OwnerKey], in database: Database
    ) throws -> SegmentContents {
        let row = try Row.fetchOne(
            database,
            sql: """
                SELECT ordinal, blockByteCount, unitByteCount
                FROM segment JOIN board ON board.id = boardID WHERE segment.id = ?
                """, arguments: [segment])
        guard let row else { return SegmentContents([], ordinal: 0, unitByteCount: 1, blockByteCount: 1) }
        let blockByteCount: Int = row["blockByteCount"]
        return SegmentContents(
            try bytes(ofSegment: segment, in: database), ordinal: row["ordinal"],
            unitByteCount: row["unitByteCount"], blockByteCount: blockByteCount, keys: keys,
            redacted: try redactedPages(ofSegment: segment, in: database))
    }

    private func storedByteCount(_ segment: Int64, in database: Database) throws -> Int {
        let count = try Int.fetchOne(
            database, sql: "SELECT \(Self.storedByteCountOfSegment) FROM segment WHERE id = ?",
            arguments: [segment])
        return count ?? 0
    }

    /// SQL for the stored length of `segment`: the end of its last chunk, because chunks are contiguous.
    static let storedByteCountOfSegment = """
        coalesce((SELECT byteOffset + length(bytes) FROM chunk WHERE segmentID = segment.id
            ORDER BY byteOffset DESC LIMIT 1), 0)
        """

    /// The row of a line's version of a segment; nil if nothing of it is stored.
    private func storedSegmentID(
        _ ordinal: UInt32, of board: LogIdentity, _ branch: Int?, in database: Database
    ) throws -> Int64? {
        let row = try boardID(board, in: database)
        let line = try line(ofBoard: row, branch, in: database)
        return try storedSegmentID(ordinal, ofBoard: row, branch: line.branch(of: ordinal), in: database)
    }

    private func storedSegmentID(
        _ ordinal: UInt32, ofBoard row: Int64, branch: Int, in database: Database
    ) throws -> Int64? {
        try Int64.fetchOne(
            database, sql: "SELECT id FROM segment WHERE boardID = ? AND ordinal = ? AND branch = ?",
            arguments: [row, ordinal, branch])
    }

    /// The row of a line's version of a segment, inserted if absent.
    private func segmentID(
        _ ordinal: UInt32, of board: LogIdentity, _ branch: Int?, in database: Database
    ) throws -> Int64 {
        let row = try boardID(board, in: database)
        let branch = try line(ofBoard: row, branch, in: database).branch(of: ordinal)
        try database.execute(
            // All columns, because somebody else may have changed their defaults.
            sql: """
                INSERT OR IGNORE INTO segment
                    (boardID, ordinal, branch, isComplete, isVerified, changedByteCount)
                VALUES (?, ?, ?, FALSE, FALSE, 0)
                """,
            arguments: [row, ordinal, branch])
        let segment = try storedSegmentID(ordinal, ofBoard: row, branch: branch, in: database)
        guard let segment else { throw ArchiveError.database(path: path, reason: "segment not stored") }
        return segment
    }
}

extension LogIdentity {
    var blob: Data { Data(bytes) }
    init?(blob: Data) { self.init([UInt8](blob)) }
}
