import Archive
import FixedMemory
import Reports

/// How a partitioned export was made: enough to make the same bytes again.
public struct PartitionProvenance: Encodable, Sendable {
    public let tool: String
    /// The archive's evidence, as ``Archive/evidenceDigest()`` has it.
    public let evidence: String
    public let parameters: Parameters

    /// In JSON, with null for what was not chosen.
    public struct Parameters: Encodable, Sendable {
        @NullIfUnknown public private(set) var since: String?
        @NullIfUnknown public private(set) var until: String?
        public let buckets: Int
    }

    init(tool: String, _ archive: Archive, _ selection: PartitionSelection) throws(ArchiveError) {
        self.tool = tool
        evidence = try archive.evidenceDigest()
        parameters = Parameters(
            since: selection.since.map(TimeText.utc), until: selection.until.map(TimeText.utc),
            buckets: selection.bucketCount)
    }

    /// One line of JSON.
    var line: String { JSONText.line(self) }
}

/// The encounters of a partitioned export, and their number of buckets.
public struct PartitionSelection: Sendable {
    public static let bucketCounts = 1...1_000
    public static let standardBucketCount = 8

    /// The earliest start; without a limit, encounters without a wall clock are included.
    public let since: WallClockTime?
    /// The start before which an encounter must begin.
    public let until: WallClockTime?
    /// The buckets of each day.
    public let bucketCount: Int

    public init(since: WallClockTime?, until: WallClockTime?, bucketCount: Int) {
        self.since = since
        self.until = until
        self.bucketCount = bucketCount
    }
}
