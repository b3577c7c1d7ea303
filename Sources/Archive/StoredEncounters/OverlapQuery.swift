import FixedMemory
import GRDB

/// SQL that selects the rows of a table which overlap a time.
///
/// A row overlaps a time if it began before, but by how much depends on how long rows last. So each one has a
/// class: its duration lies below `2^class` seconds. Within one class, all that overlap a time began in a
/// range that the index gives, so a query costs what its answer costs.
struct OverlapQuery {
    /// The class of the longest durations, of any length.
    private static let lastClass = 40

    /// The number of bits of the duration in seconds: the column `durationClass`.
    static func durationClass(_ duration: Interval) -> Int {
        let seconds = duration.milliseconds / 1_000
        return min(UInt64.bitWidth - seconds.leadingZeroBitCount, lastClass)
    }

    /// The table, or its rows in that time, up to and with `WHERE`; further conditions follow with `AND`.
    let source: String
    let arguments: StatementArguments

    /// - Parameters:
    ///   - table: has an index of `durationClass` and `startMilliseconds`.
    ///   - condition: what its rows on the wall clock have, as the index says it.
    init(of table: String, where condition: String, since: WallClockTime?, until: WallClockTime?) {
        guard since != nil || until != nil else {
            source = "\(table) WHERE TRUE"
            arguments = []
            return
        }
        // One range of the index for each class.
        let since = since.map { TimelinePoint($0).milliseconds } ?? .min
        let until = until.map { TimelinePoint($0).milliseconds } ?? .max
        let classes = (0...Self.lastClass).map { number in
            let length = number == Self.lastClass ? Int64.max : Int64(1_000) << Int64(number)
            let (earliest, overflows) = since.subtractingReportingOverflow(length)
            return "(\(number), \(overflows ? .min : earliest))"
        }
        source = """
            (WITH span (class, earliest) AS (VALUES \(classes.joined(separator: ", ")))
                SELECT \(table).* FROM span CROSS JOIN \(table)
                WHERE durationClass = class AND \(condition) AND startMilliseconds >= earliest
                    AND startMilliseconds < :until) AS \(table)
            WHERE endMilliseconds >= :since
            """
        arguments = ["since": since, "until": until]
    }
}
