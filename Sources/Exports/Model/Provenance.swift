import Archive
import FixedMemory
import Foundation
import LogContents
import Reports

/// How an export was made: enough to make the same bytes again. It has neither the time of the export nor
/// the place of the archive.
public struct Provenance: Encodable, Sendable {
    public let tool: String
    /// The archive's evidence and labels, as ``Archive/evidenceDigest()`` has them; under pseudonyms a code
    /// of it that only their secret gives.
    public let evidence: String
    public let parameters: Parameters

    /// In JSON, with null for what was not chosen.
    public struct Parameters: Encodable, Sendable {
        @NullIfUnknown public private(set) var since: String?
        @NullIfUnknown public private(set) var until: String?
        public let boards: [String]
        public let minimumDurationSeconds: Double
        public let bothSides: Bool
        public let withoutWritten: Bool
        public let strangers: Bool
        @NullIfUnknown public private(set) var minimumRSSIdBm: Int?
        public let joinGapSeconds: Double
        public let timeStepSeconds: Double
        public let smallestGroup: Int
        public let pseudonyms: Bool
        public let includeUnverified: Bool
        /// When the calibration was made: RFC 3339, UTC; null without one.
        @NullIfUnknown public private(set) var calibration: String?
        /// Parameters of one format, such as the length of its time windows.
        public let format: [String: String]
    }

    public init(
        tool: String, _ network: ContactNetwork, format: [String: String] = [:]
    ) throws(ArchiveError) {
        self.tool = tool
        let chosen = network.parameters
        let digest = try network.archive.evidenceDigest()
        evidence = chosen.pseudonyms?.evidence(digest) ?? digest
        parameters = Parameters(
            since: chosen.filter.since.map(TimeText.utc), until: chosen.filter.until.map(TimeText.utc),
            boards: chosen.pseudonyms == nil ? chosen.boardNames : chosen.boardNames.map { _ in "hidden" },
            minimumDurationSeconds: (chosen.filter.minimumDuration ?? .zero).fractionalSeconds,
            bothSides: chosen.filter.needsBothSides, withoutWritten: chosen.filter.excludesWritten,
            strangers: chosen.includesStrangers, minimumRSSIdBm: chosen.minimumRSSIdBm,
            joinGapSeconds: chosen.joinGap.fractionalSeconds,
            timeStepSeconds: chosen.timeStep.fractionalSeconds, smallestGroup: chosen.smallestGroup,
            pseudonyms: chosen.pseudonyms != nil,
            includeUnverified: network.archive.includesUnverifiedPages,
            calibration: chosen.calibration.map {
                TimeText.utc(WallClockTime(clamping: Int64($0.created.timeIntervalSince1970 * 1000)))
            }, format: format)
    }

    /// One line of JSON.
    public var line: String { JSONText.line(self) }
}
