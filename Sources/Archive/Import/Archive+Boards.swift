import FixedMemory
import GRDB
import LogContents

/// A summary of one board's stored data.
public struct BoardSummary: Sendable, Equatable {
    public let identity: LogIdentity
    /// The name that the operator gave it.
    public var name: String?
    public let blockByteCount: Int
    public let unitByteCount: Int
    public let segmentCount: Int
    public let byteCount: Int
    public let pageCount: Int
    public let entryCount: Int
    public let damagedPageCount: Int
    /// Locked pages: encrypted, with no key at hand so far.
    public let lockedPageCount: Int
    public let lastSync: WallClockTime?
    /// Pages that are not in the lists, because no signature covers them.
    public var leftOut: [LeftOutPages] = []
    /// Since when the board is out of service; nil for one in service.
    public var retirement: WallClockTime?

    public init(
        identity: LogIdentity, name: String?, blockByteCount: Int, unitByteCount: Int? = nil,
        segmentCount: Int, byteCount: Int,
        pageCount: Int,
        entryCount: Int, damagedPageCount: Int, lockedPageCount: Int = 0,
        lastSync: WallClockTime?
    ) {
        self.identity = identity
        self.name = name
        self.blockByteCount = blockByteCount
        self.unitByteCount = unitByteCount ?? blockByteCount
        self.segmentCount = segmentCount
        self.byteCount = byteCount
        self.pageCount = pageCount
        self.entryCount = entryCount
        self.damagedPageCount = damagedPageCount
        self.lockedPageCount = lockedPageCount
        self.lastSync = lastSync
    }

    /// The name in one line, or the first 8 digits of the log identity.
    public var label: String { name.map(OneLineText.text) ?? identity.short }
}

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
    public func boards() throws(ArchiveError) -> [BoardSummary] {
        try reading { database in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT board.*,
                        (SELECT count(*) FROM segment WHERE boardID = board.id) AS segmentCount,
                        (SELECT coalesce(sum(\(Self.storedByteCountOfSegment)), 0) FROM segment
                            WHERE boardID = board.id) AS byteCount,
                        count(page.byteOffset) AS pageCount,
                        coalesce(sum(entryCount), 0) AS entryCount,
                        count(damage) AS damagedPageCount,
                        coalesce(sum(page.isLocked), 0) AS lockedPageCount
                    FROM board LEFT JOIN segment ON segment.boardID = board.id
                        LEFT JOIN page ON page.segmentID = segment.id
                    WHERE claimedIdentity IS NULL
                    GROUP BY board.id ORDER BY board.id
                    """)
            return try rows.compactMap { row in
                var board = BoardSummary(row: row)
                board?.leftOut = try leftOutPages(ofBoard: row["id"], in: database)
                board?.retirement = row["retiredWallClockMilliseconds"]
                if let identity = board?.identity, let given = givenLabels[identity].name {
                    board?.name = given
                }
                return board
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

extension BoardSummary {
    fileprivate init?(row: Row) {
        guard let identity = LogIdentity(blob: row["logIdentity"]) else { return nil }
        self.init(
            identity: identity, name: row["name"], blockByteCount: row["blockByteCount"],
            unitByteCount: row["unitByteCount"],
            segmentCount: row["segmentCount"], byteCount: row["byteCount"], pageCount: row["pageCount"],
            entryCount: row["entryCount"], damagedPageCount: row["damagedPageCount"],
            lockedPageCount: row["lockedPageCount"],
            lastSync: row["lastSyncWallClockMilliseconds"])
    }
}
