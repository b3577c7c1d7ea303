import FixedMemory
import Foundation
import GRDB
import LogContents

/// The oldest segments of a board that the archive will forget.
public struct ForgettingPlan: Sendable, Equatable {
    public let board: LogIdentity
    /// Segments before this ordinal are removed.
    public let beforeOrdinal: UInt32
    public let segmentCount: Int
    public let entryCount: Int
    /// The latest time in the removed part.
    public let latestTime: WallClockTime
    /// The fingerprints of the keys that decrypted pages which stay.
    public let openedWith: [Bytes<16>]
}

/// The part of a board's log that was forgotten.
public struct ForgottenPart: Sendable, Equatable {
    public let beforeOrdinal: UInt32
    public let time: WallClockTime
    /// Whether this computer removed it.
    public var isProven = true
}

extension Archive {
    /// Selects the whole segments that are older than a time, oldest first, by the latest known time in each.
    /// Nil if there are none. A segment without a datable page is removed only together with a later datable
    /// one; the newest segment stays.
    public func forgettingPlan(
        of board: LogIdentity, before cutoff: WallClockTime
    ) throws(ArchiveError) -> ForgettingPlan? {
        let history = try history(of: board)
        let placements = Dictionary(
            zip(history.boots.map(\.identifier), history.placements()),
            uniquingKeysWith: { first, _ in first })
        let segments = try segmentMoments(of: board)
        var end = 0
        var latest = WallClockTime(milliseconds: 0)
        for (index, segment) in segments.dropLast().enumerated() {
            let times = segment.moments.compactMap { moment -> WallClockTime? in
                placements[moment.boot]?.latest(at: moment.instant)
            }
            guard let newest = times.max() else { continue }
            guard newest < cutoff else { break }
            end = index + 1
            latest = max(latest, newest)
        }
        guard end > 0 else { return nil }
        let going = segments[..<end]
        return ForgettingPlan(
            board: board, beforeOrdinal: segments[end].ordinal, segmentCount: going.count,
            entryCount: going.reduce(0) { $0 + $1.entryCount }, latestTime: latest,
            openedWith: try keysOfOpenedPages(of: board, from: segments[end].ordinal))
    }

    /// Removes the raw bytes and every row derived from them, so that nothing stays in the file. The
    /// remaining pages are decoded again, and encrypted ones need their keys for that. Forgotten segments are
    /// never fetched again.
    public func forget(
        _ plan: ForgettingPlan, keys: OwnerKeys, now: WallClockTime
    ) throws(ArchiveError) {
        try overwriting { () throws(ArchiveError) in
            try transaction { database in
                let board = try boardID(plan.board, in: database)
                try database.execute(
                    sql: "DELETE FROM segment WHERE boardID = ? AND ordinal < ?",
                    arguments: [board, plan.beforeOrdinal])
                try forgetOwnKeys(
                    ofBoard: board, overBy: plan.latestTime, in: database)
                try deleteWhatWasDecoded(ofBoard: board, in: database)
                try database.execute(
                    sql: """
                        INSERT OR REPLACE INTO forgotten
                            (boardID, beforeOrdinal, wallClockMilliseconds, proof) VALUES (?, ?, ?, ?)
                        """,
                    arguments: [
                        board, plan.beforeOrdinal, now,
                        forgottenProof(of: plan.board.blob, before: Int64(plan.beforeOrdinal), at: now),
                    ])
            }
        }
        try decodePages(of: plan.board, keys: keys)
    }

    /// Nil if nothing was forgotten.
    public func forgottenPart(of board: LogIdentity) throws(ArchiveError) -> ForgottenPart? {
        try reading { try forgottenPart(of: board, in: $0) }
    }

    func forgottenPart(of board: LogIdentity, in database: Database) throws -> ForgottenPart? {
        try Row.fetchOne(
            database,
            sql: """
                SELECT beforeOrdinal, wallClockMilliseconds, proof
                FROM forgotten JOIN board ON board.id = boardID WHERE logIdentity = ?
                """, arguments: [board.blob]
        ).map { row in
            let proof: Data? = row["proof"]
            return ForgottenPart(
                beforeOrdinal: row["beforeOrdinal"], time: row["wallClockMilliseconds"],
                isProven: isProven(
                    proof,
                    forgottenProof(
                        of: board.blob, before: row["beforeOrdinal"], at: row["wallClockMilliseconds"])))
        }
    }

    /// The first segment that was not forgotten; 0 if none was. Only what this computer has forgotten counts:
    /// a courier may have deleted the segments.
    public func firstKeptOrdinal(of board: LogIdentity) throws(ArchiveError) -> UInt32 {
        try reading { try firstKeptOrdinal(of: board, in: $0) }
    }

    func firstKeptOrdinal(of board: LogIdentity, in database: Database) throws -> UInt32 {
        let part = try forgottenPart(of: board, in: database)
        return part?.isProven == true ? part?.beforeOrdinal ?? 0 : 0
    }

    func firstKeptOrdinal(ofBoard board: Int64, in database: Database) throws -> Int64 {
        let identity = LogIdentity(blob: try identity(ofBoard: board, in: database))
        return Int64(try identity.map { try firstKeptOrdinal(of: $0, in: database) } ?? 0)
    }

    /// Deletes all rows that were decoded from a board's pages, so that they are decoded again.
    func deleteWhatWasDecoded(ofBoard board: Int64, in database: Database) throws {
        try removeEncounters(ofBoard: board, in: database)
        try database.execute(sql: "DELETE FROM boot WHERE boardID = ?", arguments: [board])
        try database.execute(sql: "DELETE FROM judgement WHERE boardID = ?", arguments: [board])
        try database.execute(
            sql: "DELETE FROM page WHERE segmentID IN (SELECT id FROM segment WHERE boardID = ?)",
            arguments: [board])
    }

    /// Overwrites data that `work` deletes, then rebuilds the file without it.
    func overwriting(_ work: () throws(ArchiveError) -> Void) throws(ArchiveError) {
        try outsideTransactions("PRAGMA secure_delete = ON")
        try work()
        try outsideTransactions("VACUUM")
        try outsideTransactions("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    private typealias SegmentMoments = (ordinal: UInt32, entryCount: Int, moments: [LogHole.Moment])

    /// The latest time in each decrypted page, by segment.
    private func segmentMoments(of board: LogIdentity) throws(ArchiveError) -> [SegmentMoments] {
        try reading { database in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT ordinal, entryCount, bootIdentifier, latestMilliseconds
                    FROM segment LEFT JOIN page ON segment.id = segmentID
                    WHERE boardID = ? ORDER BY ordinal
                    """, arguments: [try boardID(board, in: database)])
            var segments: [SegmentMoments] = []
            for row in rows {
                let ordinal: UInt32 = row["ordinal"]
                if segments.last?.ordinal != ordinal { segments.append((ordinal, 0, [])) }
                segments[segments.count - 1].entryCount += row["entryCount"] ?? 0
                guard let boot: Int64 = row["bootIdentifier"], let latest: Instant = row["latestMilliseconds"]
                else { continue }
                segments[segments.count - 1].moments.append(
                    LogHole.Moment(boot: UInt64(bitPattern: boot), instant: latest))
            }
            return segments
        }
    }

    /// The fingerprints of the keys that decrypted pages of these segments.
    public func keysOfOpenedPages(
        of board: LogIdentity, from ordinal: UInt32 = 0
    ) throws(ArchiveError) -> [Bytes<16>] {
        try reading { database in
            try Data.fetchAll(
                database,
                sql: """
                    SELECT DISTINCT sealedFor FROM page JOIN segment ON segment.id = segmentID
                    WHERE boardID = ? AND ordinal >= ? AND sealedFor IS NOT NULL AND NOT page.isLocked
                    """, arguments: [try boardID(board, in: database), ordinal]
            ).compactMap { Bytes<16>($0) }
        }
    }
}
