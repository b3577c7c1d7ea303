import FixedMemory
import GRDB

/// The times of a boot's records, as the table `placement` keeps them: all records need not be read for them.
struct BootMoments: Sendable, Equatable {
    /// The first to the last moment of all records; nil if there are none.
    let recorded: ClosedRange<Instant>?
    /// The same of the tracks, their samples included.
    let heard: ClosedRange<Instant>?

    /// The columns of `placement`.
    static let columns = "firstMilliseconds, lastMilliseconds, firstHeardMilliseconds, lastHeardMilliseconds"

    /// - Parameter row: has ``columns``.
    init(row: Row) {
        recorded = Self.range(row["firstMilliseconds"], row["lastMilliseconds"])
        heard = Self.range(row["firstHeardMilliseconds"], row["lastHeardMilliseconds"])
    }

    /// Reads all records of a boot.
    init(ofBoot boot: Int64, in database: Database) throws {
        heard = try Self.range(
            ofBoot: boot,
            [
                """
                SELECT min(firstSightingMilliseconds), max(firstSightingMilliseconds)
                    FROM track WHERE bootID = :boot
                """,
                """
                SELECT min(lastReadingMilliseconds), max(lastReadingMilliseconds)
                    FROM track WHERE bootID = :boot
                """,
                """
                SELECT min(startMilliseconds), max(endMilliseconds)
                    FROM track JOIN sample ON trackID = track.id WHERE bootID = :boot
                """,
            ], in: database)
        let others = try Self.range(
            ofBoot: boot,
            [
                "SELECT startMilliseconds, startMilliseconds FROM boot WHERE id = :boot",
                """
                SELECT min(min(startMilliseconds, endMilliseconds)),
                    max(max(startMilliseconds, endMilliseconds)) FROM coverage WHERE bootID = :boot
                """,
                """
                SELECT min(identification.monotonicMilliseconds), max(identification.monotonicMilliseconds)
                    FROM track JOIN identification ON trackID = track.id WHERE bootID = :boot
                """,
            ]
                + ["radioIncident", "ownIdentity", "peerMessage", "marker", "battery"].map { table in
                    """
                    SELECT min(monotonicMilliseconds), max(monotonicMilliseconds)
                        FROM \(table) WHERE bootID = :boot
                    """
                }, in: database)
        let ranges = [heard, others].compactMap(\.self)
        recorded = Self.range(ranges.map(\.lowerBound).min(), ranges.map(\.upperBound).max())
    }

    /// - Parameter queries: each for a first and a last moment.
    private static func range(
        ofBoot boot: Int64, _ queries: [String], in database: Database
    ) throws -> ClosedRange<Instant>? {
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: "WITH moment (first, last) AS (\(queries.joined(separator: " UNION ALL ")))"
                    + " SELECT min(first) AS first, max(last) AS last FROM moment"),
            arguments: ["boot": boot])
        return row.flatMap { range($0["first"], $0["last"]) }
    }

    private static func range(_ first: Instant?, _ last: Instant?) -> ClosedRange<Instant>? {
        guard let first, let last else { return nil }
        return first...max(first, last)
    }
}
