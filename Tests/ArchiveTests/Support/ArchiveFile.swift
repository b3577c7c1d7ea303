import Foundation
import GRDB
import TestSupport

@testable import Archive

/// A folder with one archive file, for a test that looks at the file itself. The folder goes with it.
final class ArchiveFile {
    let folder: URL
    var path: String { folder.appending(path: "archive.sqlite").path }
    var kept: String { ArchiveUpgrade.keptPath(of: path) }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "archive-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    }

    /// An archive that version 0.1.0 wrote.
    convenience init(sample name: String) throws {
        try self.init()
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        let here = URL(filePath: #filePath).deletingLastPathComponent().path
        process.arguments = ["gzip", "-dc", Vectors.url("version-0.1/\(name).sqlite.gz", from: here).path]
        try Data().write(to: URL(filePath: path))
        let output = try FileHandle(forWritingTo: URL(filePath: path))
        process.standardOutput = output
        try process.run()
        process.waitUntilExit()
        try output.close()
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    var bytes: Data { get throws { try Data(contentsOf: URL(filePath: path)) } }

    /// The names of the files in the folder.
    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
    }

    /// Gives an archive the tables of version 0.1.
    func becomeVersion01() throws {
        let queue = try DatabaseQueue(path: path)
        try queue.write { database in
            try database.execute(
                sql: """
                    ALTER TABLE segment RENAME COLUMN isComplete TO isClosed;
                    ALTER TABLE page RENAME COLUMN isLocked TO isClosed;
                    ALTER TABLE boardKey RENAME COLUMN ownerFingerprint TO openingFingerprint;
                    DROP TABLE decoder;
                    DELETE FROM grdb_migrations;
                    """)
            for number in 1...18 {
                let name =
                    switch number {
                    case 1: "1: boards, raw segments, decoded entries"
                    case 18: "18: identities that were refused, and where boards are"
                    default: "\(number): another"
                    }
                try database.execute(sql: "INSERT INTO grdb_migrations VALUES (?)", arguments: [name])
            }
        }
        try queue.close()
    }

    func change(_ sql: String) throws {
        let queue = try DatabaseQueue(path: path)
        try queue.write { try $0.execute(sql: sql) }
        try queue.close()
    }
}

/// All rows of an archive, value by value, under the names of today's columns. Version 0.1 did not
/// judge pages.
struct ArchiveRows: Equatable {
    private(set) var rows: [String: Set<[DatabaseValue]>] = [:]

    static func evidence(_ path: String) throws -> ArchiveRows {
        try ArchiveRows(EvidenceSchema.tables.filter(Version01Tables.has), of: path)
    }

    static func derived(_ path: String) throws -> ArchiveRows {
        try ArchiveRows(
            DerivedTables.tables.filter { $0 != "decoder" && $0 != "judgement" && Version01Tables.has($0) },
            of: path)
    }

    private init(_ tables: [String], of path: String) throws {
        let model = try Archive(inMemoryNamed: "model").queue
        let queue = try Archive.readingQueue(path)
        for table in tables {
            let columns = try model.read { try $0.columns(in: table).map(\.name) }
                .filter { $0 != "standing" && $0 != "proof" }
            rows[table] = try queue.read { database in
                let isVersion01 = try ArchiveFormat(database) == .version01
                let sources = columns.map { column in
                    (isVersion01 ? Version01Tables.source(of: column, in: table) : nil) ?? column
                }
                return Set(
                    try Row.fetchAll(
                        database, sql: "SELECT \(sources.joined(separator: ", ")) FROM main.\(table)"
                    ).map { Array($0.databaseValues) })
            }
        }
        try queue.close()
    }

    func count(_ table: String) -> Int { rows[table]?.count ?? 0 }
}
