import FixedMemory
import Foundation
import GRDB
import LogContents

/// The SQL that selects the stored encounters of a filter: ``EncounterRow/columns``, then the row's number.
struct EncounterQuery {
    private(set) var sql: String
    private(set) var arguments = StatementArguments()

    /// - Parameters:
    ///   - boards: the rows of the boards that the filter admits; nil for all.
    ///   - withStrangersOnly: leaves out encounters with boards of the archive.
    init(_ filter: EncounterFilter, boards: [Int64]?, withStrangersOnly: Bool) {
        let columns = (EncounterRow.columns + ["id"]).map { "encounter.\($0)" }.joined(separator: ", ")
        let span = OverlapQuery(
            of: "encounter", where: "boot IS NULL", since: filter.since, until: filter.until)
        arguments += span.arguments
        var conditions: [String] = []
        if let boards {
            conditions.append("boardID IN (\(boards.map(String.init).joined(separator: ", ")))")
        }
        if let scheme = filter.scheme { conditions.append("scheme IS \(scheme.rawValue)") }
        if withStrangersOnly {
            conditions.append("NOT EXISTS (SELECT 1 FROM sighting WHERE encounterID = encounter.id)")
        }
        if let duration = filter.minimumDuration {
            conditions.append("endMilliseconds - startMilliseconds >= :duration")
            arguments += ["duration": duration]
        }
        sql = "SELECT \(columns) FROM \(span.source)" + conditions.map { " AND \($0)" }.joined()
    }

    /// Leaves out those on the wall clock.
    mutating func selectUndated() { sql += " AND boot IS NOT NULL" }

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
