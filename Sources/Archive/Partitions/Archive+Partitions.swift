import FixedMemory
import Foundation
import GRDB
import LogContents

extension Archive {
    /// Calls `body` with each encounter that has an identity, partition by partition: days ascending, those
    /// without a day last, and the buckets of each ascending. Within a partition they are in order of scheme,
    /// payload and time. The memory is that of some hundred encounters.
    ///
    /// - Parameters:
    ///   - since: the earliest start; encounters without a wall clock are left out if it or `until` is given.
    ///   - until: the start before which an encounter must begin.
    ///   - bucket: the bucket of an identity.
    ///   - body: says whether the next one is wanted.
    public func forEachPartitionedEncounter(
        since: WallClockTime? = nil, until: WallClockTime? = nil,
        bucket: @escaping @Sendable (Identity) -> Int,
        _ body: (EncounterPartition, PartitionedEncounter) -> Bool
    ) throws(ArchiveError) {
        try reading { database in
            let reader = PartitionReader(
                boards: try identitiesOfBoards(in: database), archive: self, database: database)
            var progress = try ProgressCount(.readingEncounters, stride: 1_000) {
                try encounterCountBound(in: database)
            }
            func counted(_ partition: EncounterPartition, _ encounter: PartitionedEncounter) -> Bool {
                progress.add()
                return body(partition, encounter)
            }
            try reader.withBuckets(bucket) {
                try reader.forEachDay(since: since, until: until) { day, span in
                    try reader.read(
                        "boot IS NULL AND startMilliseconds >= ? AND startMilliseconds < ?",
                        [span.lowerBound, span.upperBound], day: day, counted)
                }
                guard since == nil, until == nil else { return }
                _ = try reader.read(
                    "(boot IS NOT NULL OR startMilliseconds < ? OR startMilliseconds >= ?)",
                    [PartitionReader.times.lowerBound, PartitionReader.times.upperBound], day: nil, counted)
            }
        }
    }

    /// The encounters that have no place in a partition, whatever their time.
    public func unpartitionedCounts() throws(ArchiveError) -> UnpartitionedCounts {
        try reading { database in
            func count(_ condition: String) throws -> Int {
                try Int.fetchOne(database, sql: "SELECT count(*) FROM encounter WHERE \(condition)") ?? 0
            }
            return UnpartitionedCounts(
                withoutIdentity: try count("scheme IS NULL"), lost: try count("scheme NOT NULL AND isLost"))
        }
    }
}

/// Reads encounters in the order of partitions.
private final class PartitionReader {
    /// The times that have a day, in milliseconds since 1970: up to the end of the year 9999.
    static let times: Range<Int64> = 0..<253_402_300_800_000
    private static let day: Int64 = 86_400_000
    private static let bucketFunction = "tabard_bucket"
    private static let portionCount = 500
    private static let portionSampleCount = 100_000

    private let boards: [Int64: LogIdentity]
    private let samples: StoredSamples
    private let database: Database

    init(boards: [Int64: LogIdentity], archive: Archive, database: Database) {
        self.boards = boards
        self.database = database
        samples = StoredSamples(boards: boards, archive: archive, database: database)
    }

    /// Gives SQLite the function of buckets, so that it sorts by them, with a file if memory is short.
    func withBuckets(_ bucket: @escaping @Sendable (Identity) -> Int, _ work: () throws -> Void) throws {
        let function = DatabaseFunction(Self.bucketFunction, argumentCount: 2, pure: true) { values in
            guard let scheme = UInt8.fromDatabaseValue(values[0]),
                let payload = Data.fromDatabaseValue(values[1]),
                let identity = Identity(scheme: scheme, payload: payload, isLost: false)
            else { return 0 }
            return bucket(identity)
        }
        database.add(function: function)
        defer { database.remove(function: function) }
        try work()
    }

    /// Calls `body` with each day on which an encounter began, and with its times, as long as that wants the
    /// next one. Each day is one look into an index.
    func forEachDay(
        since: WallClockTime?, until: WallClockTime?, _ body: (UInt32, Range<Int64>) throws -> Bool
    ) throws {
        let since = max(since.map { Int64(clamping: $0.milliseconds) } ?? 0, Self.times.lowerBound)
        let until = min(until.map { Int64(clamping: $0.milliseconds) } ?? .max, Self.times.upperBound)
        let next = try database.cachedStatement(
            sql: """
                SELECT min(startMilliseconds) FROM encounter
                WHERE boot IS NULL AND startMilliseconds >= ? AND startMilliseconds < ?
                """)
        var from = since
        while let start = try Int64.fetchOne(next, arguments: [from, until]) {
            let midnight = start / Self.day * Self.day
            let end = min(midnight + Self.day, until)
            guard try body(UInt32(midnight / Self.day), max(midnight, since)..<end) else { return }
            from = end
        }
    }

    /// - Returns: whether `body` wants the next one.
    func read(
        _ condition: String, _ arguments: StatementArguments, day: UInt32?,
        _ body: (EncounterPartition, PartitionedEncounter) -> Bool
    ) throws -> Bool {
        let columns = EncounterRow.columns + PartitionedEncounter.furtherColumns
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT \(columns.joined(separator: ", ")), \(Self.bucketFunction)(scheme, payload) AS bucket
                FROM encounter WHERE scheme NOT NULL AND NOT isLost AND \(condition)
                ORDER BY bucket, scheme, payload, startMilliseconds, endMilliseconds, boardID, id
                """, arguments: arguments)
        var portion: [(partition: EncounterPartition, encounter: PartitionedEncounter, boardID: Int64)] = []
        var sampleCount = 0
        func finish() throws -> Bool {
            defer { (portion, sampleCount) = ([], 0) }
            let found = try samples.samples(of: portion.map { ($0.encounter.number, $0.boardID) })
            for (partition, var encounter, _) in portion {
                encounter.samples = found[encounter.number, default: []]
                guard body(partition, encounter) else { return false }
            }
            return true
        }
        while let row = try rows.next() {
            let boardID: Int64 = row[0]
            guard let board = boards[boardID], let encounter = PartitionedEncounter(row: row, board: board)
            else { continue }
            let partition = EncounterPartition(daysSince1970: day, bucket: row["bucket"])
            portion.append((partition, encounter, boardID))
            sampleCount += max(0, encounter.summary.signal.sampleCount)
            let isFull = portion.count >= Self.portionCount || sampleCount >= Self.portionSampleCount
            if isFull, try !finish() { return false }
        }
        return try finish()
    }
}
