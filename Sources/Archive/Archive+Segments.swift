import Foundation
import GRDB

/// A segment as far as it has been fetched.
public struct StoredSegment: Sendable, Equatable {
    public let ordinal: UInt32
    public let byteCount: Int
    /// The board will add nothing to it.
    public let isClosed: Bool
    /// The board's own hash of the whole closed segment equals that of the stored bytes.
    public let isVerified: Bool
}

extension Archive {
    /// Oldest first.
    public func segments(of board: LogIdentity) throws(ArchiveError) -> [StoredSegment] {
        try reading { database in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT ordinal, isClosed, isVerified, coalesce(sum(length(bytes)), 0) AS byteCount
                    FROM segment LEFT JOIN chunk ON segmentID = segment.id
                    WHERE boardID = ? GROUP BY segment.id ORDER BY ordinal
                    """, arguments: [try boardID(board, in: database)])
            return rows.map { row in
                StoredSegment(
                    ordinal: row["ordinal"], byteCount: row["byteCount"], isClosed: row["isClosed"],
                    isVerified: row["isVerified"])
            }
        }
    }

    /// Adds bytes that continue a segment. Bytes that are stored already are skipped, so a chunk may come twice.
    ///
    /// - Throws: `discontinuous` when there would be a hole.
    public func append(
        _ bytes: [UInt8], at offset: Int, segment ordinal: UInt32, of board: LogIdentity
    ) throws(ArchiveError) {
        try transaction { database in
            let segment = try segmentID(ordinal, of: board, in: database)
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

    /// Notes that the board has closed the segment and whether its hash was compared and found equal.
    public func close(
        segment ordinal: UInt32, of board: LogIdentity, isVerified: Bool
    ) throws(ArchiveError) {
        try transaction { database in
            let segment = try segmentID(ordinal, of: board, in: database)
            try database.execute(
                sql: "UPDATE segment SET isClosed = 1, isVerified = max(isVerified, ?) WHERE id = ?",
                arguments: [isVerified, segment])
        }
    }

    /// Forgets what was fetched of a segment, to fetch it again: its hash differs from the board's.
    public func discard(segment ordinal: UInt32, of board: LogIdentity) throws(ArchiveError) {
        try transaction { database in
            try database.execute(
                sql: "DELETE FROM segment WHERE boardID = ? AND ordinal = ?",
                arguments: [try boardID(board, in: database), ordinal])
        }
    }

    /// What is stored of a segment; empty when nothing is.
    public func bytes(ofSegment ordinal: UInt32, of board: LogIdentity) throws(ArchiveError) -> [UInt8] {
        try reading { database in
            let segment = try Int64.fetchOne(
                database, sql: "SELECT id FROM segment WHERE boardID = ? AND ordinal = ?",
                arguments: [try boardID(board, in: database), ordinal])
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

    private func storedByteCount(_ segment: Int64, in database: Database) throws -> Int {
        let count = try Int.fetchOne(
            database,
            sql: """
                SELECT byteOffset + length(bytes) FROM chunk WHERE segmentID = ?
                ORDER BY byteOffset DESC LIMIT 1
                """, arguments: [segment])
        return count ?? 0
    }

    /// The segment's row, made when there is none.
    private func segmentID(
        _ ordinal: UInt32, of board: LogIdentity, in database: Database
    ) throws -> Int64 {
        let board = try boardID(board, in: database)
        try database.execute(
            sql: "INSERT OR IGNORE INTO segment (boardID, ordinal) VALUES (?, ?)",
            arguments: [board, ordinal])
        let segment = try Int64.fetchOne(
            database, sql: "SELECT id FROM segment WHERE boardID = ? AND ordinal = ?",
            arguments: [board, ordinal])
        guard let segment else { throw ArchiveError.database(path: path, reason: "segment not stored") }
        return segment
    }
}

extension LogIdentity {
    var blob: Data { Data(bytes) }
    init?(blob: Data) { self.init([UInt8](blob)) }
}
