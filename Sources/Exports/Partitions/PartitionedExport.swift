import Archive
import FixedMemory
import Parquet
import Reports

/// The encounters of an archive in partitions by day and bucket, for programs on many computers: a folder
/// for each of four tables, as Hive names partitions, and `export.json`.
///
/// One partition is written after another, so the memory is that of two row groups, and at most two files are
/// open, whatever the numbers of days and buckets.
public struct PartitionedExport {
    /// The name by which Hive, Spark, Arrow and DuckDB know the partition of rows without a day.
    public static let noDay = "__HIVE_DEFAULT_PARTITION__"
    public static let summaryName = "export.json"

    private let archive: Archive
    private let selection: PartitionSelection
    private let provenance: PartitionProvenance

    /// - Parameter tool: the program with its version.
    public init(
        _ archive: Archive, _ selection: PartitionSelection, tool: String
    ) throws(ArchiveError) {
        self.archive = archive
        self.selection = selection
        provenance = try PartitionProvenance(tool: tool, archive, selection)
    }

    public func write(to store: some PartitionStore) throws -> PartitionCounts {
        let absent = try archive.unpartitionedCounts()
        var counts = PartitionCounts(
            provenance: provenance, withoutIdentity: absent.withoutIdentity, lost: absent.lost)
        try writeEncounters(to: store, &counts)
        try writeServed(to: store, &counts)
        try writeBoards(to: store, &counts)
        let file = try store.open(Self.summaryName)
        try file.write(Array((JSONText.line(counts) + "\n").utf8))
        try file.finish()
        return counts
    }

    private func writeEncounters(to store: some PartitionStore, _ counts: inout PartitionCounts) throws {
        var writers: PartitionWriters?
        var failure: (any Error)?
        var day: UInt32?
        let bucketCount = selection.bucketCount
        try archive.forEachPartitionedEncounter(
            since: selection.since, until: selection.until,
            bucket: { IdentityParts($0).bucket(of: bucketCount) }
        ) { partition, encounter in
            do {
                if writers?.partition != partition {
                    try writers?.finish()
                    writers = try PartitionWriters(partition, provenance, in: store)
                }
                try writers?.append(encounter)
            } catch {
                failure = error
                return false
            }
            if let new = partition.daysSince1970, new != day {
                day = new
                counts.days += 1
            }
            counts.add(encounter, isDated: partition.daysSince1970 != nil)
            return true
        }
        if let failure { throw failure }
        if let writers { return try writers.finish() }
        // Readers need a file to know the columns of a table without rows.
        try PartitionWriters(EncounterPartition(daysSince1970: nil, bucket: 0), provenance, in: store)
            .finish()
    }

    private func writeServed(to store: some PartitionStore, _ counts: inout PartitionCounts) throws {
        try write(.served, to: store) { writer, failure in
            try archive.forEachServedIdentity { served in
                failure.keep { () throws(ParquetError) in
                    try writer.append(served.board.hexadecimal)
                    try writer.append(served.identity)
                    try writer.append(served.boot.map { Int64(bitPattern: $0) })
                    try writer.append(served.start.milliseconds)
                    try writer.append(served.end.milliseconds)
                    try writer.append(served.error.map { Int64(clamping: $0.milliseconds) })
                    try writer.endRow()
                }
            }
            counts.served = writer.rowCount
        }
    }

    private func writeBoards(to store: some PartitionStore, _ counts: inout PartitionCounts) throws {
        let names = BoardNames(try archive.boards())
        try write(.boards, to: store) { writer, _ in
            for board in try archive.numberedBoards() {
                try writer.append(board.number)
                try writer.append(board.board.hexadecimal)
                try writer.append(names[board.board])
                try writer.endRow()
            }
            counts.boards = writer.rowCount
        }
    }

    private func write(
        _ table: PartitionTable, to store: some PartitionStore,
        _ body: (ParquetWriter, inout KeptFailure) throws -> Void
    ) throws {
        let file = try store.open("\(table.name)/part-0.parquet")
        let writer = try table.writer(provenance, to: file)
        var failure = KeptFailure()
        try body(writer, &failure)
        if let error = failure.error { throw error }
        try writer.finish()
        try file.finish()
    }
}

/// The first failure in a closure that must not throw.
private struct KeptFailure {
    private(set) var error: ParquetError?

    /// - Returns: whether the work succeeded.
    mutating func keep(_ work: () throws(ParquetError) -> Void) -> Bool {
        do throws(ParquetError) {
            try work()
            return true
        } catch {
            self.error = error
            return false
        }
    }
}

extension PartitionCounts {
    fileprivate mutating func add(_ encounter: PartitionedEncounter, isDated: Bool) {
        encounters += 1
        samples += encounter.samples.count
        guard isDated else {
            undated += 1
            return
        }
        let start = encounter.summary.start
        let length = encounter.samples.last.map { $0.start.interval(since: start) } ?? .zero
        longestMilliseconds = max(longestMilliseconds, Int64(clamping: length.milliseconds))
    }
}

extension EncounterPartition {
    /// The folders of the partition, such as `day=2026-11-20/bucket=03`.
    var path: String {
        let day = daysSince1970.map { TimeText.utc(WallClockTime(days: UInt64($0))).prefix(10) }
        let digits = String(bucket)
        return "day=\(day ?? PartitionedExport.noDay[...])/bucket="
            + String(repeating: "0", count: max(0, 2 - digits.count)) + digits
    }
}
