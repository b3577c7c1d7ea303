import GRDB

/// The parts of an archive's file that this program did not create, or whose definition is another one.
///
/// A trigger or an index acts on everything that is stored later, and so could change the derived tables
/// after they were made anew.
struct ForeignObjects {
    private struct Object: Hashable {
        let type: String
        let name: String
        /// Without white space and quotation marks, which versions of SQLite set differently.
        let definition: String

        /// SQLite goes by the definition alone, and any type may stand beside it.
        var isTable: Bool { type == "table" && definition.hasPrefix("createtable") }

        /// What SQLite makes for itself, without a definition.
        var isInternal: Bool {
            definition.isEmpty && type == "index" && name.hasPrefix("sqlite_autoindex_")
                || isTable && (name == "sqlite_sequence" || name.hasPrefix("sqlite_stat"))
        }
    }

    private let objects: [Object]

    /// - Parameter isEarlierFormat: the tables are those of version 0.1, which had no other objects.
    init(_ database: Database, isEarlierFormat: Bool = false) throws {
        let stored = try Self.objects(in: database)
        let own = isEarlierFormat ? [] : Set(try Self.own.get())
        objects = stored.filter { isEarlierFormat ? !$0.isTable : !own.contains($0) }
    }

    /// What the first ones are, and their names. Somebody else has chosen them, and they go to terminals.
    var names: [String] { Self.names(of: objects) }

    /// The same without tables.
    var activeNames: [String] { Self.names(of: objects.filter { !$0.isTable }) }

    private static func names(of objects: [Object]) -> [String] {
        objects.prefix(8).map { object in
            let text = "\(object.type) \(object.name)".prefix(60)
            return String(
                text.map { $0.isASCII && ($0.isLetter || $0.isNumber || "_ .".contains($0)) ? $0 : "?" })
        }
    }

    /// Whether some of them are no tables. A table of somebody else does nothing by itself.
    var areActive: Bool { objects.contains { !$0.isTable } }

    /// Removes all except tables.
    ///
    /// - Throws: `noArchive` if some cannot be removed.
    static func removeActive(in database: Database, path: String) throws {
        // Triggers of a view go with it.
        for object in try Self(database).objects where !object.isTable {
            guard ["trigger", "view", "index", "table"].contains(object.type) else { continue }
            try database.execute(
                sql: "DROP \(object.type) IF EXISTS main.\(object.name.quotedDatabaseIdentifier)")
        }
        guard try !Self(database).areActive else { throw ArchiveError.noArchive(path: path) }
    }

    /// The objects that this program creates in an archive.
    private static let own = Result {
        let queue = try DatabaseQueue()
        try EvidenceSchema.migrator.migrate(queue)
        return try queue.write { database in
            try DerivedTables.create(in: database)
            return try objects(in: database)
        }
    }

    private static func objects(in database: Database) throws -> [Object] {
        try Row.fetchAll(
            database,
            sql: "SELECT type, name, coalesce(sql, '') AS definition FROM main.sqlite_master ORDER BY rowid"
        ).map { row in
            let definition: String = row["definition"]
            return Object(
                type: row["type"], name: row["name"],
                definition: definition.lowercased().filter { !$0.isWhitespace && $0 != "\"" })
        }.filter { !$0.isInternal }
    }
}
