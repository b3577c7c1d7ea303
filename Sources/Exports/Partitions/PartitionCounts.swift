/// What is in a partitioned export, and what it leaves out: the file `export.json`.
public struct PartitionCounts: Encodable, Sendable {
    public static let format = "tabard-partitions-1"

    public let format = PartitionCounts.format
    public let provenance: PartitionProvenance
    public internal(set) var encounters = 0
    /// Encounters of the partition without a day: they have no wall-clock time, or an impossible one.
    public internal(set) var undated = 0
    public internal(set) var samples = 0
    /// Periods in which boards served identities.
    public internal(set) var served = 0
    public internal(set) var boards = 0
    /// UTC days with encounters.
    public internal(set) var days = 0
    /// The longest time from the start of a dated encounter to the start of its last sample. Who looks for
    /// samples from a time on need not read days that are earlier by more.
    public internal(set) var longestMilliseconds: Int64 = 0
    /// Encounters that were left out, because the peer gave no identity.
    public let withoutIdentity: Int
    /// Encounters that were left out, because the log has lost their identity.
    public let lost: Int
}
