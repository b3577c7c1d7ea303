import GRDB

/// Which program's tables an SQLite file has.
enum ArchiveFormat: Equatable {
    /// No table at all: a new file.
    case empty
    /// ``EvidenceSchema`` and ``DerivedTables``, with this program's number or an earlier one.
    case numbered
    /// The tables of version 0.1, whose chain of migrations ended at number 18.
    case version01
    /// Tables from before version 0.1.
    case unreleased
    /// Tables that only a later version knows.
    case later
    /// The tables of some other program.
    case other

    init(_ database: Database) throws {
        let tables = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") ?? 0
        guard tables > 0 else {
            self = .empty
            return
        }
        let known = EvidenceSchema.migrator.migrations
        let applied =
            try database.tableExists("grdb_migrations")
            ? Set(String.fetchAll(database, sql: "SELECT identifier FROM grdb_migrations")) : []
        self =
            if applied.isEmpty {
                .other
            } else if applied.contains(where: known.contains) {
                applied.isSubset(of: known) ? .numbered : .later
            } else if applied.contains(Self.lastMigrationOfVersion01) {
                applied.count == Self.migrationCountOfVersion01 ? .version01 : .later
            } else {
                applied.contains(Self.firstMigration) ? .unreleased : .later
            }
    }

    private static let firstMigration = "1: boards, raw segments, decoded entries"
    private static let lastMigrationOfVersion01 =
        "18: identities that were refused, and where boards are"
    private static let migrationCountOfVersion01 = 18
}
