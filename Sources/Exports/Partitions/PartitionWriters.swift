import Archive
import Parquet

/// The files of one partition: its encounters, and their samples.
final class PartitionWriters {
    let partition: EncounterPartition
    private let files: [any PartitionFile]
    private let encounters: ParquetWriter
    private let samples: ParquetWriter

    init(
        _ partition: EncounterPartition, _ provenance: PartitionProvenance, in store: some PartitionStore
    ) throws {
        self.partition = partition
        let tables = [PartitionTable.encounters, .samples]
        files = try tables.map { try store.open("\($0.name)/\(partition.path)/part-0.parquet") }
        encounters = try tables[0].writer(provenance, to: files[0])
        samples = try tables[1].writer(provenance, to: files[1])
    }

    func append(_ encounter: PartitionedEncounter) throws(ParquetError) {
        let summary = encounter.summary
        let board = summary.board.hexadecimal
        try encounters.append(board)
        try encounters.append(encounter.number)
        try encounters.append(encounter.identity)
        try encounters.append(summary.boot)
        try encounters.append(summary.start.milliseconds)
        try encounters.append(summary.end.milliseconds)
        try encounters.append(summary.clockError.map { Int64(clamping: $0.milliseconds) })
        try encounters.append(summary.startError.map { Int64(clamping: $0.milliseconds) })
        try encounters.append(summary.endError.map { Int64(clamping: $0.milliseconds) })
        try encounters.append(summary.basis.rawValue)
        try encounters.append(Int64(clamping: encounter.timeout.milliseconds))
        try encounters.append(encounter.firstBoot)
        try encounters.append(encounter.isWritten)
        try encounters.append(Int32(summary.identityMarks.rawValue))
        try encounters.append(Int64(summary.readingCount))
        try encounters.append(Int64(summary.signal.sampleCount))
        try encounters.append(Int64(summary.signal.writtenReadingCount))
        try encounters.append(summary.rssi.map { Int32(clamping: $0.minimumDBm) })
        try encounters.append(summary.rssi.map { Int32(clamping: $0.maximumDBm) })
        try encounters.append(encounter.weightedTenthsDBm.map { Int64($0) })
        try encounters.append(encounter.weight.map { Int64($0) })
        try encounters.append(encounter.samples.last?.start.milliseconds)
        try encounters.endRow()
        for sample in encounter.samples {
            try samples.append(board)
            try samples.append(encounter.number)
            try samples.append(sample.start.milliseconds)
            try samples.append(sample.end.milliseconds)
            try samples.append(Int64(sample.readingCount))
            try samples.append(Int32(clamping: sample.minimumDBm))
            try samples.append(Int32(clamping: sample.maximumDBm))
            try samples.append(Int32(clamping: Int((sample.meanDBm * 10).rounded())))
            try samples.endRow()
        }
    }

    func finish() throws {
        try encounters.finish()
        try samples.finish()
        for file in files { try file.finish() }
    }
}

extension ParquetWriter {
    /// Appends the columns of an identity.
    func append(_ identity: Identity) throws(ParquetError) {
        let parts = IdentityParts(identity)
        try append(identity.scheme.label)
        try append(parts.header)
        try append(parts.identifier)
        try append(parts.trailer)
    }
}

extension EncounterSummary {
    /// The boot without a wall clock from which its times count, as SQLite has it.
    fileprivate var boot: Int64? {
        guard case .sinceStart(let boot) = timeline else { return nil }
        return Int64(bitPattern: boot)
    }
}
