import Archive
import EncounterLog
import Foundation

/// A board's coverage on one clock as `tabardctl coverage --json` prints it. Fields are added here, never renamed or
/// removed.
public struct CoverageDocument: Encodable, Sendable {
    public let board: String
    @NullIfUnknown public private(set) var name: String?
    public let clock: String
    @NullIfUnknown public private(set) var start: String?
    @NullIfUnknown public private(set) var end: String?
    /// RFC 3339, UTC: what is known of a start without a wall clock; null where nothing is.
    @NullIfUnknown public private(set) var notBefore: String?
    @NullIfUnknown public private(set) var notAfter: String?
    public let totalSeconds: Double
    public let coveredSeconds: Double
    public let quietSeconds: Double
    public let longestBlindSeconds: Double
    public let faults: Int
    /// How often each rung was taken.
    public let rungs: [String: Int]
    public let intervals: [CoverageRow]

    public init(_ timeline: CoverageTimeline, name: String?) {
        let summary = CoverageSummary(timeline)
        board = timeline.board.hexadecimal
        self.name = name
        clock = timeline.isOnWallClock ? "wall" : "boot"
        start = timeline.isOnWallClock ? TimeText.utc(timeline.range.lowerBound) : nil
        end = timeline.isOnWallClock ? TimeText.utc(timeline.range.upperBound) : nil
        notBefore = timeline.notBeforeMilliseconds.map(TimeText.utc)
        notAfter = timeline.notAfterMilliseconds.map(TimeText.utc)
        totalSeconds = Double(summary.totalMilliseconds) / 1000
        coveredSeconds = Double(summary.coveredMilliseconds) / 1000
        quietSeconds = Double(summary.quietMilliseconds) / 1000
        longestBlindSeconds = Double(summary.longestBlind?.durationMilliseconds ?? 0) / 1000
        faults = summary.faultCount
        rungs = Dictionary(summary.rungs.map { ($0.name, 1) }, uniquingKeysWith: +)
        intervals = CoverageRow.rows(timeline)
    }

    /// The array, in UTF-8, with a line feed at its end; the same bytes for the same coverage.
    public static func json(_ documents: [CoverageDocument]) throws -> Data {
        try PrintedJSON.data(documents)
    }
}
