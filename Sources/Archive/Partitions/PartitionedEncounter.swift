import FixedMemory
import Foundation
import GRDB
import LogContents

/// A stored encounter with an identity, its samples, and what the rules of contacts need of it.
public struct PartitionedEncounter: Sendable {
    /// The number of its row, which changes when the archive gets further parts of the encounter.
    public let number: Int64
    public let summary: EncounterSummary
    public let identity: Identity
    /// Whether the peer only wrote the identity, as ``EncounterKey`` counts it.
    public let isWritten: Bool
    /// The longest silence that would still have been part of it.
    public let timeout: Interval
    /// The identifier of the boot in which it began.
    public let firstBoot: Int64
    /// The sum of its samples' means in tenths of a dBm, each weighted by its readings, and those weights;
    /// nil without samples.
    public let weightedTenthsDBm: Int?
    public let weight: Int?
    /// In order of time.
    public internal(set) var samples: [Sample<TimelinePoint>] = []

    /// The columns of `encounter` beside those of ``EncounterRow``.
    static let furtherColumns = ["id"]

    /// - Parameter row: ``EncounterRow/columns`` first, then the further ones; nil without a readable
    ///   identity.
    init?(row: Row, board: LogIdentity) {
        summary = EncounterSummary(row: row, board: board)
        guard let identity = summary.identity, identity.lostHash == nil else { return nil }
        self.identity = identity
        let likeness: Data = row[32]
        isWritten = likeness == EncounterKey.identity(identity, isWritten: true).digest
        weightedTenthsDBm = row[24]
        weight = row[25]
        firstBoot = row[30]
        timeout = row[33]
        number = row[34]
    }
}

/// The place of an encounter among the partitions of an export.
public struct EncounterPartition: Hashable, Sendable {
    /// The UTC day on which it began, counted from 1970; nil without a wall clock, and outside of the years
    /// 1970 to 9999.
    public let daysSince1970: UInt32?
    public let bucket: Int

    public init(daysSince1970: UInt32?, bucket: Int) {
        self.daysSince1970 = daysSince1970
        self.bucket = bucket
    }
}

/// The encounters that no partition has.
public struct UnpartitionedCounts: Equatable, Sendable {
    /// Encounters with peers that gave no identity.
    public let withoutIdentity: Int
    /// Encounters whose identity was in pages that are lost.
    public let lost: Int
}
