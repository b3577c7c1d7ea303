import Foundation
import GRDB
import LogContents

/// Brings the archive of an earlier version up to date.
///
/// An archive of version 0.1 is converted: a new file gets its evidence byte for byte and decodes it again.
/// The new file then takes the archive's place, and the earlier one stays beside it. Until that moment
/// nothing in the earlier archive changes, and at every moment one of both has the archive's name.
public struct ArchiveUpgrade: Sendable {
    public enum Outcome: Equatable, Sendable {
        /// The archive was up to date.
        case none
        /// All pages were decoded again, or those that an interrupted fetch left.
        case decoded
        /// The archive was converted; `kept` is the path of the earlier one.
        case converted(kept: String)
    }

    enum Step: CaseIterable, Sendable { case copy, decode, keep, replace, synchronise }

    let path: String
    let keys: OwnerKeys
    let locks: Bool
    let custody: ArchiveCustody
    /// How long another process may keep the file.
    var waitSeconds = Archive.waitSeconds
    /// Called before each step; tests interrupt the conversion with it.
    var beforeStep: @Sendable (Step) throws -> Void = { _ in }

    /// - Parameters:
    ///   - keys: decrypt the pages that were decrypted before.
    ///   - locks: pages whose key is missing may become locked again.
    ///   - custody: what this computer knows about the archive.
    public init(
        path: String, keys: OwnerKeys, locks: Bool = false, custody: ArchiveCustody = .ofThisProcess
    ) {
        // A symbolic link stays, and so does the device that it leads to.
        self.path = URL(filePath: path).resolvingSymlinksInPath().path
        self.keys = keys
        self.locks = locks
        self.custody = custody
    }

    /// Where a conversion puts the archive of version 0.1.
    public static func keptPath(of path: String) -> String { path + ".version-0.1" }

    public func run() throws(ArchiveError) -> Outcome {
        guard FileManager.default.fileExists(atPath: path) else { throw .absent(path: path) }
        switch try Archive.format(ofFile: path) {
        case .numbered: return try update()
        case .version01: return .converted(kept: try convert())
        case .later: throw .tooNew(path: path)
        case .unreleased: throw .tooOld(path: path)
        case .empty:
            // An empty file becomes an archive without boards.
            _ = try Archive(path: path, access: .create, keys: keys, locks: locks, custody: custody)
            return .none
        case .other: throw .noArchive(path: path)
        }
    }

    private func update() throws(ArchiveError) -> Outcome {
        // SQLite changes a file that it opens for writing, even if nothing is written.
        if try isCurrent() { return .none }
        let archive = try Archive(path: path, access: .existing, keys: keys, locks: locks, custody: custody)
        // Closing alone would leave the new rows beside the file while another program has it open.
        try archive.checkpoint()
        try archive.close()
        return .decoded
    }

    private func isCurrent() throws(ArchiveError) -> Bool {
        guard custody.hasFilledTables else { return false }
        do throws(ArchiveError) {
            let archive = try Archive(path: path, access: .reading)
            guard try archive.boardsWithoutEncounters().isEmpty else { return false }
            for board in try archive.boards() {
                if try archive.waitingSegmentCount(of: board.identity) > 0 { return false }
            }
            return true
        } catch {
            guard error == .outdated(path: path) else { throw error }
            return false
        }
    }

    // MARK: Conversion

    private func convert() throws(ArchiveError) -> String {
        let swap = FileSwap(path: path, kept: Self.keptPath(of: path))
        guard swap.mayKeep() else { throw .kept(path: swap.kept) }
        do {
            let earlier = try exclusiveQueue()
            try earlier.writeWithoutTransaction { earlier in
                // Another process may have converted it by now.
                guard try ArchiveFormat(earlier) == .version01 else { throw ArchiveError.busy(path: path) }
                try Version01Tables.show(in: earlier)
                try swap.createReplacement()
                do {
                    try fill(swap.replacement, from: earlier)
                } catch {
                    swap.removeReplacement()
                    throw error
                }
                try leaveNothingBeside(earlier)
                try beforeStep(.keep)
                try swap.keep()
                try beforeStep(.replace)
                try swap.replace()
                try beforeStep(.synchronise)
                try swap.synchroniseFolder()
            }
            try earlier.close()
        } catch {
            throw Archive.translated(error, path)
        }
        return swap.kept
    }

    /// A connection that keeps all other processes away from the file, from its first statement on.
    private func exclusiveQueue() throws -> DatabaseQueue {
        var configuration = GRDB.Configuration()
        configuration.busyMode = .timeout(waitSeconds)
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; COMMIT")
        }
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    /// Moves everything into the file itself. Neither SQLite's log nor its journal may lie beside the file
    /// that takes its place, because SQLite knows them by their names alone.
    private func leaveNothingBeside(_ earlier: Database) throws {
        for mode in ["delete", "memory"] {
            guard try String.fetchOne(earlier, sql: "PRAGMA journal_mode = \(mode)") == mode else {
                throw ArchiveError.busy(path: path)
            }
        }
    }

    private func fill(_ replacement: String, from earlier: Database) throws {
        var configuration = GRDB.Configuration()
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = FULL") }
        let archive = Archive(
            path: path, queue: try DatabaseQueue(path: replacement, configuration: configuration),
            custody: custody)
        try EvidenceSchema.migrator.migrate(archive.queue)
        let missing = try DerivedTables.missingKeys(keys, in: earlier)
        guard missing.isEmpty || locks else {
            throw ArchiveError.keysMissing(path: path, fingerprints: missing)
        }
        try beforeStep(.copy)
        try archive.queue.write { database in
            for table in EvidenceSchema.tables where Version01Tables.has(table) {
                try Self.copy(table, from: earlier, to: database)
            }
        }
        if custody.adoptsEarlierRows { try archive.queue.write(archive.adoptRows) }
        try archive.checkKnownBoards()
        if !custody.vouchesForItself { try archive.queue.write(archive.distrust) }
        try beforeStep(.decode)
        try archive.queue.write { try archive.fillDerivedTables(keys: keys, locks: true, in: $0) }
        try archive.queue.close()
    }

    /// Copies the rows in their order, each value as it is.
    private static func copy(_ table: String, from earlier: Database, to database: Database) throws {
        let columns = try database.columns(in: table).map(\.name)
        let sources = columns.map { Version01Tables.source(of: $0, in: table) ?? $0 }
        let order = EvidenceSchema.tablesWithoutRowNumbers.contains(table) ? "" : "ORDER BY rowid"
        let rows = try Row.fetchCursor(
            earlier,
            sql: "SELECT \(sources.joined(separator: ", ")) FROM main.\(table) \(order)")
        let insertion = try database.makeStatement(
            sql: """
                INSERT INTO \(table) (\(columns.joined(separator: ", ")))
                VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
                """)
        while let row = try rows.next() {
            try insertion.execute(arguments: StatementArguments(row.databaseValues))
        }
    }
}
