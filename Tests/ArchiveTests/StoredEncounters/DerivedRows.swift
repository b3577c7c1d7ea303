import GRDB

@testable import Archive

/// All rows of the derived tables as text. References to other rows are replaced by what these rows say,
/// because the numbers of rows depend on the order in which they were written.
struct DerivedRows: Equatable {
    let lines: [String]

    init(_ archive: Archive) throws {
        lines = try archive.reading { database in
            try DerivedTables.tables.flatMap { table in
                let columns = try database.columns(in: table).map(\.name).filter { $0 != "id" }
                let list = columns.map { Self.meaning(of: $0) }.joined(separator: ", ")
                return try Row.fetchAll(database, sql: "SELECT \(list) FROM \(table)")
                    .map { "\(table) \($0)" }.sorted()
            }
        }
    }

    /// The rows that only one of both has.
    static func difference(_ first: DerivedRows, _ second: DerivedRows) -> String {
        let (one, other) = (Set(first.lines), Set(second.lines))
        return
            (one.subtracting(other).sorted().map { "- \($0)" }
            + other.subtracting(one).sorted().map { "+ \($0)" }).joined(separator: "\n")
    }

    private static func meaning(of column: String) -> String {
        switch column {
        case "bootID": "(SELECT bootIdentifier FROM boot AS own WHERE own.id = bootID) AS boot"
        case "trackID":
            """
            (SELECT bootIdentifier || '/' || number FROM track AS own JOIN boot ON boot.id = bootID
                WHERE own.id = trackID) AS track
            """
        case "encounterID":
            """
            (SELECT hex(likeness) || startMilliseconds || '/' || firstBoot || '/' || firstTrack
                FROM encounter AS own WHERE own.id = encounterID) AS encounter
            """
        case "contactID":
            """
            (SELECT boardID || '/' || otherBoardID || '/' || certainty || '/' || startMilliseconds
                FROM contact AS own WHERE own.id = contactID) AS contact
            """
        default: column
        }
    }
}
