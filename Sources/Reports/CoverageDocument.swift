import Archive
import EncounterLog
import Foundation

/// A board's coverage on one clock as `tabardctl coverage --json` prints it. Fields are added here, never renamed or
/// removed.
public struct CoverageDocument: Encodable, Sendable {
    public let board: String
    public let name: String?
    public let clock: String
    public let start: String?
    public let end: String?
    /// RFC 3339, UTC: what is known of a start without a wall clock; null where nothing is.
    public let notBefore: String?
    public let notAfter: String?
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

    private enum CodingKeys: CodingKey {
        case board, name, clock, start, end, notBefore, notAfter, totalSeconds, coveredSeconds, quietSeconds,
            longestBlindSeconds
        case faults, rungs, intervals
    }

    /// Every key is always there; what is not known is null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(board, forKey: .board)
        try container.encode(name, forKey: .name)
        try container.encode(clock, forKey: .clock)
        try container.encode(start, forKey: .start)
        try container.encode(end, forKey: .end)
        try container.encode(notBefore, forKey: .notBefore)
        try container.encode(notAfter, forKey: .notAfter)
        try container.encode(totalSeconds, forKey: .totalSeconds)
        try container.encode(coveredSeconds, forKey: .coveredSeconds)
        try container.encode(quietSeconds, forKey: .quietSeconds)
        try container.encode(longestBlindSeconds, forKey: .longestBlindSeconds)
        try container.encode(faults, forKey: .faults)
        try container.encode(rungs, forKey: .rungs)
        try container.encode(intervals, forKey: .intervals)
    }

    /// The array, in UTF-8, with a line feed at its end; the same bytes for the same coverage.
    public static func json(_ documents: [CoverageDocument]) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(documents) + Data("\n".utf8)
    }
}
