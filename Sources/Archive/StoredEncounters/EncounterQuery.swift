import FixedMemory
import Foundation
import GRDB
import LogContents

/// The SQL that selects the stored encounters of a filter.
///
/// An encounter overlaps a time if it began before, but by how much depends on how long encounters are. So
/// each one has a class: its duration lies below `2^class` seconds. Within one class, all that overlap a time
/// began in a range that the index gives, so a query costs what its answer costs.
struct EncounterQuery {
    /// The class of the longest durations, of any length.
    private static let lastClass = 40

    /// The number of bits of the duration in seconds.
    static func durationClass(_ duration: Interval) -> Int {
        let seconds = duration.milliseconds / 1_000
        return min(UInt64.bitWidth - seconds.leadingZeroBitCount, lastClass)
    }

    private(set) var sql: String
    private(set) var arguments = StatementArguments()

    /// - Parameter boards: the rows of the boards that the filter admits; nil for all.
    init(_ filter: EncounterFilter, boards: [Int64]?) {
        let columns = EncounterRow.columns.map { "encounter.\($0)" }.joined(separator: ", ")
        let source: String
        if filter.since == nil, filter.until == nil {
            source = "encounter WHERE TRUE"
        } else {
            // One range of the index for each class.
            let since = filter.since.map { TimelinePoint($0).milliseconds } ?? .min
            let until = filter.until.map { TimelinePoint($0).milliseconds } ?? .max
            let classes = (0...Self.lastClass).map { number in
                let length = number == Self.lastClass ? Int64.max : Int64(1_000) << Int64(number)
                let (earliest, overflows) = since.subtractingReportingOverflow(length)
                return "(\(number), \(overflows ? .min : earliest))"
            }
            source = """
                (WITH span (class, earliest) AS (VALUES \(classes.joined(separator: ", ")))
                    SELECT encounter.* FROM span CROSS JOIN encounter
                    WHERE durationClass = class AND boot IS NULL AND startMilliseconds >= earliest
                        AND startMilliseconds < :until) AS encounter
                WHERE endMilliseconds >= :since
                """
            arguments += ["since": since, "until": until]
        }
        var conditions: [String] = []
        if let boards {
            conditions.append("boardID IN (\(boards.map(String.init).joined(separator: ", ")))")
        }
        if let scheme = filter.scheme { conditions.append("scheme IS \(scheme.rawValue)") }
        if let duration = filter.minimumDuration {
            conditions.append("endMilliseconds - startMilliseconds >= :duration")
            arguments += ["duration": duration]
        }
        sql = "SELECT \(columns) FROM \(source)" + conditions.map { " AND \($0)" }.joined()
    }

    /// First those on the wall clock by time, then those of each boot without one.
    mutating func sort() {
        sql += """
             ORDER BY boot IS NOT NULL, CASE WHEN boot IS NULL THEN 0 ELSE boardID END,
                CASE WHEN boot IS NULL THEN 0 ELSE (SELECT count(*) FROM boot AS other JOIN boot AS own
                    ON own.boardID = encounter.boardID AND own.bootIdentifier = encounter.boot
                        AND other.boardID = own.boardID
                    WHERE (other.firstSegmentOrdinal, other.firstByteOffset, other.bootIdentifier)
                        < (own.firstSegmentOrdinal, own.firstByteOffset, own.bootIdentifier)) END,
                startMilliseconds, endMilliseconds, boardID, firstBoot, firstTrack, scheme, payload
            """
    }
}
