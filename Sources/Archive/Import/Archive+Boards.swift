import FixedMemory
import GRDB
import LogContents

extension Archive {
    /// Registers the board. A name that is given replaces the stored one.
    ///
    /// - Parameter unitByteCount: the unit of page lengths; nil if pages take whole blocks.
    public func register(
        _ board: LogIdentity, blockByteCount: Int, unitByteCount: Int? = nil, name: String? = nil
    ) throws(ArchiveError) {
        let geometry = PageGeometry(
            blockByteCount: blockByteCount, unitByteCount: unitByteCount ?? blockByteCount)
        try transaction { try register(board, claimed: nil, geometry, name: name, in: $0) }
    }

    public func recordSync(of board: LogIdentity, at time: WallClockTime) throws(ArchiveError) {
        try transaction { database in
            try database.execute(
                sql: "UPDATE board SET lastSyncWallClockMilliseconds = ? WHERE logIdentity = ?",
                arguments: [time, board.blob])
        }
    }

    /// Stores one clock sample: the board's monotonic time and this computer's wall time at the same moment.
    /// It is an additional anchor of that boot, available before the board commits its own.
    public func record(
        _ anchor: Anchor, boot: UInt64, of board: LogIdentity
    ) throws(ArchiveError) {
        try transaction { database in
            let proof = proof.code(
                .clockReading, of: board.blob,
                [
                    Int64(bitPattern: boot), Int64(clamping: anchor.instant.milliseconds),
                    Int64(clamping: anchor.wallClock.milliseconds),
                    Int64(clamping: anchor.error.milliseconds),
                ])
            try database.execute(
                sql: """
                    INSERT OR IGNORE INTO clockReading (boardID, bootIdentifier, monotonicMilliseconds,
                        wallClockMilliseconds, errorMilliseconds, proof)
                    VALUES (?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    try boardID(board, in: database), Int64(bitPattern: boot), anchor.instant,
                    anchor.wallClock, anchor.error, proof,
                ])
            try updateEncounters(ofBoard: try boardID(board, in: database), in: database)
        }
    }

    /// The board's name, or the first 8 digits of its log identity.
    public func label(of board: LogIdentity) throws(ArchiveError) -> String {
        try name(of: board).map(OneLineText.text) ?? board.short
    }

    /// The name that the operator, or the board's own configuration, has given the board; nil without one.
    public func name(of board: LogIdentity) throws(ArchiveError) -> String? {
        if let given = givenLabels[board].name { return given }
        return try reading { database in
            try String.fetchOne(
                database, sql: "SELECT name FROM board WHERE logIdentity = ?", arguments: [board.blob])
        }
    }

    /// Whether the archive has no board, trusted or not.
    public func isEmpty() throws(ArchiveError) -> Bool {
        try reading { database in
            try Bool.fetchOne(database, sql: "SELECT NOT EXISTS (SELECT 1 FROM board)") == true
        }
    }

    /// All trusted boards, in the order in which they were registered.
    public func boards() throws(ArchiveError) -> [ArchivedBoard] {
        try reading { database in
            let rows = try Row.fetchAll(
                database, sql: "SELECT * FROM board WHERE claimedIdentity IS NULL ORDER BY id")
            return rows.compactMap { row in
                guard let identity = LogIdentity(blob: row["logIdentity"]) else { return nil }
                return ArchivedBoard(
                    identity: identity, name: givenLabels[identity].name ?? row["name"],
                    blockByteCount: row["blockByteCount"], unitByteCount: row["unitByteCount"],
                    lastSync: row["lastSyncWallClockMilliseconds"],
                    retirement: row["retiredWallClockMilliseconds"])
            }
        }
    }

    func boardID(_ board: LogIdentity, in database: Database) throws -> Int64 {
        let identifier = try Int64.fetchOne(
            database, sql: "SELECT id FROM board WHERE logIdentity = ?", arguments: [board.blob])
        guard let identifier else { throw ArchiveError.unknownBoard(board) }
        return identifier
    }
}
