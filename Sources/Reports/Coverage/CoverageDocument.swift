import Archive
import EncounterLog
import Foundation

/// A board's coverage on the wall clock, or in one boot without a wall clock, as `tabardctl coverage --json`
/// prints it. Later versions only add fields; they never rename or remove one.
public struct CoverageDocument: PrintedRow {
    public static let schema = PrintedSchema("coverage")

    public let board: String
    @NullIfUnknown public private(set) var name: String?
    public let clock: String
    @NullIfUnknown public private(set) var start: String?
    @NullIfUnknown public private(set) var end: String?
    /// The earliest and latest possible wall time of a boot without a wall clock: RFC 3339, UTC; null if
    /// unknown.
    @NullIfUnknown public private(set) var notBefore: String?
    @NullIfUnknown public private(set) var notAfter: String?
    public let totalSeconds: Double
    public let coveredSeconds: Double
    public let quietSeconds: Double
    public let longestBlindSeconds: Double
    public let faults: Int
    /// The number of times that each recovery rung was taken.
    public let rungs: [String: Int]
    public let intervals: [CoverageRow]

    public init(_ timeline: CoverageTimeline, name: String?) {
        let summary = CoverageSummary(timeline)
        board = timeline.board.hexadecimal
        self.name = name
        clock = timeline.isOnWallClock ? "wall" : "boot"
        start = timeline.timeline.wallClock(timeline.range.lowerBound).map(TimeText.utc)
        end = timeline.timeline.wallClock(timeline.range.upperBound).map(TimeText.utc)
        notBefore = timeline.notBefore.map(TimeText.utc)
        notAfter = timeline.notAfter.map(TimeText.utc)
        totalSeconds = summary.total.fractionalSeconds
        coveredSeconds = summary.covered.fractionalSeconds
        quietSeconds = summary.quiet.fractionalSeconds
        longestBlindSeconds = summary.longestBlind?.duration.fractionalSeconds ?? 0
        faults = summary.faultCount
        rungs = Dictionary(summary.rungs.map { ($0.name, 1) }, uniquingKeysWith: +)
        intervals = CoverageRow.rows(timeline)
    }

    /// Encodes the documents as a JSON list in UTF-8 with a final line feed. Equal coverage gives equal
    /// bytes.
    public static func json(_ documents: [CoverageDocument]) throws -> Data {
        try PrintedJSON.data(rows: documents)
    }
}
